// libchafa, loaded with dlopen. Prototypes and constants match chafa.h (1.12) and glib.h, whose headers are not on the
// default include path. libchafa uses threads unless `set_threads(1)` is called.

#include "CChafa.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *text;
    size_t length, room;
} gstring;

static struct {
    void (*set_threads)(int);
    void *(*new_map)(void);
    int (*apply)(void *map, const char *selectors, void **error);
    void (*free_map)(void *map);
    void *(*new_config)(void);
    void (*free_config)(void *config);
    void (*geometry)(void *config, int columns, int rows);
    void (*cell)(void *config, int width, int height);
    void (*mode)(void *config, int mode);
    void (*means)(void *config, int mode);
    void (*symbols)(void *config, const void *map);
    void (*dither)(void *config, int mode);
    void (*grain)(void *config, int width, int height);
    void (*prepare)(void *config, int is_wanted);
    void *(*new_canvas)(const void *config);
    void (*free_canvas)(void *canvas);
    void (*draw)(void *canvas, int kind, const uint8_t *pixels, int width, int height, int stride);
    gstring *(*print)(void *canvas, void *terminal);
    void (*fit)(int width, int height, int *columns, int *rows, float ratio, int zoom, int stretch);
    void *(*terminals)(void);
    void *(*any_terminal)(void *terminals);
    void *(*new_terminal)(void);
    void (*free_terminal)(void *terminal);
    char *(*free_string)(gstring *, int with_text);
    void (*free_error)(void *);
} chafa;

static bool available;

static void load(void) {
    void *library = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
    void *glib = library == NULL ? NULL : dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (glib == NULL) return;
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"chafa_set_n_threads", &chafa.set_threads},
        {"chafa_symbol_map_new", &chafa.new_map},
        {"chafa_symbol_map_apply_selectors", &chafa.apply},
        {"chafa_symbol_map_unref", &chafa.free_map},
        {"chafa_canvas_config_new", &chafa.new_config},
        {"chafa_canvas_config_unref", &chafa.free_config},
        {"chafa_canvas_config_set_geometry", &chafa.geometry},
        {"chafa_canvas_config_set_cell_geometry", &chafa.cell},
        {"chafa_canvas_config_set_canvas_mode", &chafa.mode},
        {"chafa_canvas_config_set_pixel_mode", &chafa.means},
        {"chafa_canvas_config_set_symbol_map", &chafa.symbols},
        {"chafa_canvas_config_set_dither_mode", &chafa.dither},
        {"chafa_canvas_config_set_dither_grain_size", &chafa.grain},
        {"chafa_canvas_config_set_preprocessing_enabled", &chafa.prepare},
        {"chafa_canvas_new", &chafa.new_canvas},
        {"chafa_canvas_unref", &chafa.free_canvas},
        {"chafa_canvas_draw_all_pixels", &chafa.draw},
        {"chafa_canvas_print", &chafa.print},
        {"chafa_calc_canvas_geometry", &chafa.fit},
        {"chafa_term_db_get_default", &chafa.terminals},
        {"chafa_term_db_get_fallback_info", &chafa.any_terminal},
        {"chafa_term_info_new", &chafa.new_terminal},
        {"chafa_term_info_unref", &chafa.free_terminal},
        {"g_string_free", &chafa.free_string},
        {"g_error_free", &chafa.free_error},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) function = dlsym(glib, functions[i].name);
        if (function == NULL) return;
        memcpy(functions[i].place, &function, sizeof function);
    }
    chafa.set_threads(1);
    available = true;
}

bool cchafa_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return available;
}

/// Creates a symbol map; NULL for unknown symbol sets.
static void *map_of(const char *symbols) {
    void *map = chafa.new_map(), *error = NULL;
    if (chafa.apply(map, symbols, &error)) return map;
    if (error != NULL) chafa.free_error(error);
    chafa.free_map(map);
    return NULL;
}

bool cchafa_knows(const char *symbols) {
    void *map = cchafa_available() ? map_of(symbols) : NULL;
    if (map != NULL) chafa.free_map(map);
    return map != NULL;
}

/// Converts pixels to their perceived brightness (ITU-R BT.601). Returns NULL when out of memory.
static uint8_t *grey_of(const uint8_t *pixels, size_t count) {
    uint8_t *grey = malloc(count * 4);
    for (size_t i = 0; grey != NULL && i < count * 4; i += 4) {
        const uint8_t light = (uint8_t)((299 * pixels[i] + 587 * pixels[i + 1] + 114 * pixels[i + 2] + 500) / 1000);
        grey[i] = grey[i + 1] = grey[i + 2] = light;
        grey[i + 3] = pixels[i + 3];
    }
    return grey;
}

char *cchafa_draw(const uint8_t *pixels, int32_t width, int32_t height, const cchafa_screen *screen, size_t *length) {
    // Values of ChafaCanvasMode and ChafaPixelMode. RGBA with straight alpha is the fifth pixel type.
    static const int modes[] = {5, 6, 3, 1, 0};
    static const int means[] = {0, 1, 2};
    enum { RGBA = 4 };
    void *map = cchafa_available() ? map_of(screen->symbols) : NULL;
    if (map == NULL) return NULL;
    int columns = screen->columns, rows = screen->rows;
    chafa.fit(width, height, &columns, &rows, (float)screen->cell_width / (float)screen->cell_height, 0, 0);
    if (columns < 1) columns = 1;
    if (rows < 1) rows = 1;
    void *config = chafa.new_config();
    chafa.geometry(config, columns, rows);
    chafa.cell(config, screen->cell_width, screen->cell_height);
    chafa.mode(config, screen->means == CCHAFA_SYMBOLS ? modes[screen->colours] : 0);
    chafa.means(config, means[screen->means]);
    chafa.symbols(config, map);
    // Without colours, the output must not contain escape sequences, and brightness is shown by how much of a cell is
    // filled.
    bool is_plain = screen->means == CCHAFA_SYMBOLS && screen->colours == CCHAFA_NO_COLOURS;
    uint8_t *grey = is_plain ? grey_of(pixels, (size_t)width * (size_t)height) : NULL;
    if (is_plain) {
        enum { DIFFUSION = 2 };
        chafa.dither(config, DIFFUSION);
        chafa.grain(config, 4, 2);
        // Preprocessing would push intermediate grey levels to black or white.
        chafa.prepare(config, 0);
    }
    void *canvas = chafa.new_canvas(config);
    chafa.draw(canvas, RGBA, grey != NULL ? grey : pixels, width, height, width * 4);
    void *terminal = is_plain ? chafa.new_terminal() : chafa.any_terminal(chafa.terminals());
    gstring *drawn = chafa.print(canvas, terminal);
    char *text = NULL;
    if (drawn != NULL) {
        text = malloc(drawn->length + 1);
        if (text != NULL) {
            memcpy(text, drawn->text, drawn->length + 1);
            *length = drawn->length;
        }
        chafa.free_string(drawn, 1);
    }
    if (terminal != NULL) chafa.free_terminal(terminal);
    free(grey);
    chafa.free_canvas(canvas);
    chafa.free_config(config);
    chafa.free_map(map);
    return text;
}

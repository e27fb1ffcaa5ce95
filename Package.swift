// swift-tools-version: 6.2
// One target a job, on five floors: a target imports only targets above it in this file. `scripts/graph` draws them.
// There are no outside packages: C libraries come from the system, as scripts/setup installs them.

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
]

/// A Swift target in `Sources/FLOOR/NAME`, which may have a README.md.
func swift(
    _ floor: String, _ name: String, _ imports: [Target.Dependency], hasReadme: Bool = false,
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: imports, path: "Sources/\(floor)/\(name)",
        exclude: hasReadme ? ["README.md"] : [], swiftSettings: swiftSettings, linkerSettings: linkerSettings)
}

/// A C or C++ target in `Sources/System/NAME`.
func shim(
    _ name: String, _ imports: [Target.Dependency] = [], searching headers: [String] = [],
    linking libraries: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: imports, path: "Sources/System/\(name)",
        cSettings: [.treatAllWarnings(as: .error)] + headers.map { .headerSearchPath($0) },
        cxxSettings: [.treatAllWarnings(as: .error)], linkerSettings: libraries)
}

func tests(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: imports, exclude: exclude, swiftSettings: swiftSettings)
}

/// Links the static archive of a Debian library, so that starting the command loads few shared objects.
func archive(_ name: String) -> LinkerSetting { .linkedLibrary(":lib\(name).a") }

/// Shims over system libraries and the kernel, and what threads share.
let system: [Target] = [
    // Opens the libraries that are not linked.
    shim("CLibrary"),
    // The contract between a parser and a reader of its data.
    shim("CField"),
    shim("CArchive"),
    shim("CChafa"),
    shim("CCrypto"),
    shim("CCurl"),
    shim(
        "CIDNA", linking: [archive("icuuc"), archive("icudata"), .linkedLibrary("stdc++"), .linkedLibrary("m")]),
    // CInflate.c names what libxml2 needs of zlib: its archive comes before CXML's on the linker's line.
    shim("CInflate", linking: [archive("z")]),
    shim("CLua", ["CField"], linking: [archive("lua5.4"), archive("lua5.4-lpeg")]),
    shim("CPicture"),
    shim("CProcess"),
    shim("CResources"),
    shim("CSQLite", linking: [archive("sqlite3"), .linkedLibrary("m")]),
    shim("CServe"),
    shim("CSimdjson", ["CField", "CLibrary"]),
    shim("CUTF8Proc", linking: [archive("utf8proc")]),
    shim(
        "CXML", searching: ["system"],
        linking: [
            archive("xml2"), archive("icuuc"), archive("icudata"), archive("lzma"), archive("z"),
            .linkedLibrary("stdc++"), .linkedLibrary("m"),
        ]),
    swift("System", "Threads", []),
]

/// What knows nothing of video.
let base: [Target] = [
    swift("Base", "Basics", ["CIDNA", "CResources", "CUTF8Proc"], linkerSettings: [.linkedLibrary("m")]),
    swift("Base", "Store", ["CSQLite", "Threads"], hasReadme: true),
    swift("Base", "LuaRuntime", ["CField", "CLua"], hasReadme: true),
    swift("Base", "JSON", ["Basics", "CField", "CSimdjson"], hasReadme: true),
    swift("Base", "Markup", ["Basics", "CXML"], hasReadme: true),
    swift("Base", "Sandbox", ["Basics", "CLibrary", "CProcess", "Threads"], hasReadme: true),
]

/// What knows nothing of Lua.
let video: [Target] = [
    swift("Video", "VideoModel", ["Basics"], hasReadme: true),
    swift("Video", "VideoFormats", ["Basics", "CInflate", "JSON", "Markup", "VideoModel"], hasReadme: true),
    swift(
        "Video", "WebClient", ["Basics", "CCrypto", "CCurl", "CInflate", "CServe", "Store", "Threads"],
        hasReadme: true),
    swift(
        "Video", "VideoServices",
        ["Basics", "JSON", "Sandbox", "Store", "Threads", "VideoFormats", "VideoModel", "WebClient"], hasReadme: true),
]

/// What runs plugins.
let host: [Target] = [
    swift(
        "Host", "HostErrors",
        ["Basics", "JSON", "LuaRuntime", "Sandbox", "Store", "Threads", "VideoFormats", "VideoServices", "WebClient"],
        hasReadme: true),
    swift("Host", "Arguments", ["HostErrors"]),
    swift("Host", "Files", ["Basics", "CProcess", "HostErrors", "Sandbox", "Store"]),
    swift(
        "Host", "Packages",
        [
            "Basics", "CArchive", "CCrypto", "CProcess", "Files", "HostErrors", "JSON", "Sandbox", "Threads",
            "VideoModel", "VideoServices", "WebClient",
        ], hasReadme: true),
    swift(
        "Host", "Gate", ["Basics", "HostErrors", "Packages", "VideoModel", "VideoServices", "WebClient"],
        hasReadme: true),
    swift(
        "Host", "Pictures",
        [
            "Arguments", "Basics", "CChafa", "CPicture", "CProcess", "Files", "Gate", "HostErrors", "Sandbox",
            "VideoFormats", "VideoModel", "WebClient",
        ], hasReadme: true),
    swift(
        "Host", "Players",
        ["Arguments", "Basics", "CProcess", "Files", "HostErrors", "VideoModel", "WebClient"],
        hasReadme: true),
    swift(
        "Host", "RecordStreams",
        ["Basics", "Files", "Gate", "HostErrors", "JSON", "VideoFormats", "VideoModel", "VideoServices", "WebClient"],
        hasReadme: true),
    swift(
        "Host", "LuaAPI",
        [
            "Arguments", "Basics", "Files", "Gate", "HostErrors", "JSON", "LuaRuntime", "Markup", "Packages",
            "Pictures", "Players", "RecordStreams", "Threads", "VideoFormats", "VideoModel", "VideoServices",
            "WebClient",
        ], hasReadme: true),
    swift(
        "Host", "Pipeline",
        [
            "Arguments", "Basics", "Files", "Gate", "HostErrors", "JSON", "LuaAPI", "LuaRuntime", "Packages",
            "Pictures", "Players", "RecordStreams", "Threads", "VideoFormats", "VideoModel", "VideoServices",
            "WebClient",
        ], hasReadme: true),
    swift(
        "Host", "WorkerHost",
        [
            "Basics", "CLibrary", "CProcess", "Files", "Gate", "HostErrors", "LuaAPI", "Packages", "Pictures",
            "Pipeline", "RecordStreams", "Sandbox", "Threads", "VideoFormats", "VideoModel", "VideoServices",
            "WebClient",
        ], hasReadme: true),
    swift(
        "Host", "YTHost",
        [
            "Arguments", "Basics", "CProcess", "Files", "Gate", "HostErrors", "LuaAPI", "Packages", "Pictures",
            "Pipeline", "Players", "RecordStreams", "Sandbox", "Store", "Threads", "VideoFormats", "VideoModel",
            "VideoServices", "WebClient", "WorkerHost",
        ]),
]

/// Arguments in, exit code out.
let command: [Target] = [
    .executableTarget(
        name: "ythost", dependencies: ["YTHost"], path: "Sources/Command/ythost", swiftSettings: swiftSettings)
]

let checks: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["Basics", "CCrypto", "Threads"], path: "Tests/Support",
        swiftSettings: swiftSettings),
    // A second process for tests of what processes share.
    .executableTarget(
        name: "Probe", dependencies: ["Basics", "Store", "WebClient"], path: "Tests/Probe", swiftSettings: swiftSettings
    ),
    tests("StoreTests", ["Store", "Probe", "TestSupport", "Threads"]),
    tests("LuaRuntimeTests", ["LuaRuntime"]),
    tests("VideoModelTests", ["Basics", "TestSupport", "VideoModel"]),
    tests("VideoFormatsTests", ["Basics", "JSON", "Markup", "TestSupport", "VideoFormats", "VideoModel"]),
    tests("WebClientTests", ["Basics", "WebClient", "Probe", "Store", "TestSupport", "Threads"]),
    tests(
        "VideoServicesTests",
        [
            "VideoServices", "Basics", "Sandbox", "Store", "TestSupport", "Threads", "VideoFormats",
            "VideoModel", "WebClient",
        ]),
    tests(
        "YTHostTests",
        [
            "YTHost", "Basics", "CLibrary", "CProcess", "Files", "Gate", "HostErrors", "JSON", "LuaAPI", "LuaRuntime",
            "Packages", "Pictures", "Pipeline", "Players", "RecordStreams", "Sandbox", "TestSupport", "Threads",
            "VideoFormats", "VideoModel", "VideoServices", "WebClient", "WorkerHost",
        ],
        exclude: ["Goldens", "Lua"]),
    tests("CommandTests", ["Basics", "TestSupport", "Threads"], exclude: ["Escape", "Goldens", "Judges", "Machine"]),
]

let package = Package(
    name: "ythost",
    products: [
        .library(name: "YTHost", targets: ["YTHost"]),
        .library(name: "VideoServices", targets: ["VideoServices"]),
        // Requests, policies and cancellation, as the services take them.
        .library(name: "WebClient", targets: ["WebClient"]),
        .library(name: "VideoFormats", targets: ["VideoFormats"]),
        .library(name: "VideoModel", targets: ["VideoModel"]),
        .library(name: "LuaRuntime", targets: ["LuaRuntime"]),
        .executable(name: "ythost", targets: ["ythost"]),
    ],
    targets: system + base + video + host + command + checks,
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17
)

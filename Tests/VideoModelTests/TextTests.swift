// Claims about text for people: columns, cutting, cleaning, folding, words and short numbers. Invisible characters are
// written as escapes, since an editor may drop or join them.

import Basics
import Testing

@Suite("Text")
struct TextTests {
    // MARK: Width

    @Test(
        "a cluster takes the columns that a terminal gives it",
        arguments: [
            ("", 0), ("abc", 3), ("naïve", 5), ("日本語", 6), ("한국어", 6), ("ｶﾅ", 2), ("ＡＢ", 4), ("①…", 2), ("عربي", 4),
            ("👍", 2), ("👍\u{1F3FD}", 2), ("☝\u{1F3FD}", 2), ("日\u{1F3FD}", 4), ("ガﾞ", 3), ("ｶﾞ", 2), ("❤\u{FE0F}ﾞ", 3),
            ("❤\u{FE0F}", 2), ("a\u{1F3FD}", 3),
            ("\u{1F3FD}", 2),
            ("👍\u{1F3FD}\u{1F3FD}", 2), ("🌆\u{1F3FD}", 2), ("👩\u{1F3FE}\u{200D}🚀", 2),
            ("👨\u{200D}👩\u{200D}👧\u{200D}👦", 2), ("❤\u{FE0F}\u{200D}🔥", 2), ("🇯🇵", 2), ("🇯🇵🇩🇪", 4),
            ("❤", 1), ("❤\u{FE0F}", 2), ("©\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("#\u{FE0F}\u{20E3}", 2),
            ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("\u{1FAE8}", 2),
            ("e\u{301}", 1), ("a\u{300}\u{323}b", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("\u{200B}", 0), ("a\u{200D}b", 2), ("\u{FEFF}x\u{2060}", 1), ("\u{3164}", 0),
            ("น\u{E49}ำ", 2), ("ท\u{E35}\u{E48}", 1), ("ह\u{93F}न\u{94D}द\u{940}", 4), ("\u{20000}", 2),
            ("a\tb\u{1B}\u{7F}\r\n", 2), ("é\u{85}", 1),
            // As wcwidth 0.9.4 measures them.
            ("☰☷䷀䷿", 8), ("⚊⚏", 4), ("\u{1D300}\u{1D360}", 4), ("\u{18CFF}\u{1FADD}", 4), ("\u{628}\u{897}", 1),
            ("ខ្មែរ", 3), ("ស្ត្រី", 2), ("សង្គ្រាម", 4), ("ភាសាខ្មែរ", 7), ("ꦲꦏ꧀ꦱꦫꦗꦮ", 6), ("ꦏ꧀", 1), ("ᬅᬓ᭄ᬱᬭᬩᬮᬶ", 6),
            ("ᮃᮊ᮪ᮞᮛ", 5), ("မြန်မာ", 5), ("தமிழ்", 4), ("க்ஷ", 2), ("ශ්\u{200D}රී", 2), ("𑆯𑇀𑆫", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(Text.width(text) == columns)
    }

    // MARK: Cutting and filling

    @Test(
        "text that is too wide ends in an ellipsis, and text that fits stays",
        arguments: [
            ("日本語日本語日本語日本語", 10, "日本語日…"), ("日本語日本", 10, "日本語日本"), ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcde…"), ("abc", 1, "…"), ("日", 1, "…"), ("a", 1, "a"), ("abc", 0, ""), ("abc", -1, ""),
            ("", 0, ""), ("abcde\u{301}", 5, "abcde\u{301}"), ("abcde\u{301}f", 5, "abcd…"),
            ("👍\u{1F3FD}👍\u{1F3FD}👍\u{1F3FD}", 5, "👍\u{1F3FD}👍\u{1F3FD}…"), ("🇯🇵🇩🇪", 3, "🇯🇵…"), ("🇯🇵🇩🇪", 2, "…"),
        ])
    func truncate(text: String, columns: Int, right: String) {
        #expect(Text.truncate(text, to: columns) == right)
    }

    @Test("a cut never falls inside a cluster and never leaves more columns than asked for", arguments: 1...24)
    func truncateKeepsClusters(columns: Int) {
        let text = "e\u{301}👨\u{200D}👩\u{200D}👧日🇯🇵น\u{E49}ำक\u{94D}ष1\u{FE0F}\u{20E3}x\u{200B}ｶﾞ한"
        let cut = Text.truncate(text, to: columns)
        #expect(Text.width(cut) <= columns)
        #expect(Text.width(cut) >= min(columns, Text.width(text)) - 1)
        #expect(cut == text || text.map(String.init).starts(with: cut.dropLast().map(String.init)))
    }

    @Test(
        "padding fills with spaces on the other side, and never cuts",
        arguments: [
            ("日本語日…", 10, Text.Alignment.left, "日本語日… "), ("42", 5, .right, "   42"), ("ab", 5, .center, " ab  "),
            ("👍", 4, .center, " 👍 "), ("abcdef", 3, .right, "abcdef"), ("", 2, .left, "  "), ("a", -1, .left, "a"),
        ])
    func pad(text: String, columns: Int, align: Text.Alignment, right: String) {
        #expect(Text.pad(text, to: columns, align: align) == right)
    }

    // MARK: Cleaning

    @Test(
        "cleaned text is one line without anything that steers a terminal",
        arguments: [
            ("plain – “text” é 日本 ❤\u{FE0F}\u{A0}x", "plain – “text” é 日本 ❤\u{FE0F}\u{A0}x"),
            ("line one\nline two", "line one line two"), ("a\r\nb\rc\n\nd", "a b c  d"), ("a\tb\0c\u{7F}d", "a b c d"),
            ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"), ("\u{1B}[31mred\u{07}", "red "),
            ("\u{1B}[1;38:5:9 qx", "x"), ("\u{9B}2Jx", "x"), ("a\u{1B}]0;title\u{07}b", "ab"),
            ("a\u{1B}]8;;http://x\u{1B}\\b", "ab"), ("a\u{9D}0;t\u{9C}b", "ab"), ("a\u{1B}Pq#0\u{1B}\\b", "ab"),
            ("a\u{1B}(Bb\u{1B}7c\u{1B}Md", "abcd"), ("end\u{1B}", "end "), ("\u{1B}日", " 日"),
            ("\u{1B}\u{1B}[31m[32m", " [32m"), ("a\u{1B}]no end", "ano end"), ("a\u{1B}[3", "a"),
            ("a\u{1B}[3\nb", "a b"),
            ("harmless\u{202E}txt.exe", "harmless\u{FFFD}txt.exe"),
            ("\u{2066}a\u{2069}\u{202C}", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
            ("a\u{200E}b\u{200F}c\u{61C}d", "abcd"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ])
    func clean(text: String, right: String) {
        #expect(Array(Text.clean(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    // MARK: Folding

    @Test(
        "what differs in case, accents or compatibility form only folds to the same",
        arguments: [
            ("Hello", "hello"), ("É", "e"), ("E\u{301}", "e"), ("ＡＢＣ", "abc"), ("Straße", "strasse"), ("İI", "ii"),
            ("ı", "i"),
            ("ΣΑΣς", "σασσ"), ("Ёй", "еи"), ("ﬁ", "fi"), ("①²", "12"), ("㈱", "(株)"), ("Łódź Øre Đặng", "lodz ore dang"),
            ("so\u{AD}ft ❤\u{FE0F}", "soft ❤"),
        ])
    func fold(text: String, right: String) {
        #expect(Text.fold(text) == right)
    }

    @Test(
        "folding keeps the marks that are letters of their script",
        arguments: [
            ("ガ", "ガ"), ("カ\u{3099}", "ガ"), ("ｶﾞ", "ガ"), ("ぱ", "ぱ"), ("हिन्दी", "हिन्दी"), ("ที\u{E48}", "ที\u{E48}"),
            ("한국어", "한국어"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
        ])
    func foldKeepsLetters(text: String, right: String) {
        #expect(Array(Text.fold(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    // MARK: Words

    @Test(
        "words are what an index holds",
        arguments: [
            ("Learn Swift 6.3, quickly!", ["learn", "swift", "6", "3", "quickly"]), ("", []), (" … ", []),
            ("Café_Résumé", ["cafe", "resume"]), ("don't", ["don", "t"]),
            ("C++ vs C# vs F#", ["c++", "vs", "c#", "vs", "f#"]),
            ("C++20", ["c++", "20"]), ("a+b #shorts song#1", ["a", "b", "shorts", "song", "1"]), ("+ wow+++", ["wow"]),
            (".NET", ["net"]), ("日本語 Lua入門", ["日", "本", "語", "lua", "入", "門"]), ("東京2020年", ["東", "京", "2020", "年"]),
            ("ｶﾞﾝﾀﾞﾑ・ラーメン", ["ガ", "ン", "ダ", "ム", "ラ", "ー", "メ", "ン"]), ("한국어 강의", ["한국어", "강의"]),
            ("हिन्दी गाने", ["हिन्दी", "गाने"]), ("か\u{309A}x", ["か\u{309A}", "x"]), ("a\u{200B}b", ["a", "b"]),
            ("👍🎉", []),
        ])
    func words(text: String, right: [String]) {
        #expect(Text.words(text) == right)
    }

    // MARK: Numbers

    @Test(
        "a short count takes at most four columns",
        arguments: [
            (0, "0"), (950, "950"), (999, "999"), (1000, "1K"), (1234, "1.2K"), (1250, "1.3K"), (9949, "9.9K"),
            (9950, "10K"), (12_345, "12K"), (999_499, "999K"), (999_500, "1M"), (999_950, "1M"), (3_170_000, "3.2M"),
            (14_000_000_000, "14B"), (2_500_000_000_000, "2.5T"), (Int64.max, "9.2E"), (-1234, "-1.2K"), (-5, "-5"),
            (Int64.min, "-9.2E"),
        ] as [(Int64, String)])
    func compactCount(count: Int64, right: String) {
        #expect(Text.compactCount(count) == right)
    }

    @Test(
        "a grouped number has a comma before every three digits",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (3_170_000, "3,170,000"), (-123_456, "-123,456"),
            (Int64.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func grouped(count: Int64, right: String) {
        #expect(Text.grouped(count) == right)
    }
}

// swift-tools-version: 6.2
// One target a job; each floor imports only floors below it (ARCHITECTURE.md has the picture).
// There are no outside packages: C libraries come from the system, as scripts/setup installs them.

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
]
let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]
let cxxSettings: [CXXSetting] = [.treatAllWarnings(as: .error)]

/// Links the static archive of a Debian library, so that starting the command loads few shared objects.
func archive(_ name: String) -> LinkerSetting { .linkedLibrary(":lib\(name).a") }

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
    targets: [
        // Floor 6: the command.
        .executableTarget(name: "ythost", dependencies: ["YTHost"], swiftSettings: swiftSettings),

        // Floor 5: the Lua API, plugins, the pipeline and the gate.
        .target(
            name: "YTHost",
            dependencies: [
                "CArchive", "CChafa", "CCrypto", "CLibrary", "CPicture", "CProcess", "LuaRuntime", "Store", "Threads",
                "VideoFormats",
                "VideoModel",
                "VideoServices",
                "WebClient",
            ],
            swiftSettings: swiftSettings),

        // Floor 4: one file a service.
        .target(
            name: "VideoServices",
            dependencies: [
                "CProcess", "CSampleLibrary", "Store", "Threads", "VideoFormats", "VideoModel", "WebClient",
            ],
            swiftSettings: swiftSettings),

        // Floor 3: HTTP; bytes to records and back.
        .target(
            name: "WebClient",
            dependencies: ["CCoding", "CCrypto", "CCurl", "CServe", "Store", "Threads", "VideoModel"],
            swiftSettings: swiftSettings),
        .target(
            name: "VideoFormats", dependencies: ["CInflate", "CSimdjson", "CXML", "VideoModel"],
            swiftSettings: swiftSettings),

        // Floor 2: what a video is; Lua and Swift; what is kept from run to run.
        .target(
            name: "VideoModel", dependencies: ["CUTF8Proc"], swiftSettings: swiftSettings,
            linkerSettings: [.linkedLibrary("m")]),
        .target(name: "LuaRuntime", dependencies: ["CLua"], swiftSettings: swiftSettings),
        .target(name: "Store", dependencies: ["CSQLite", "Threads"], swiftSettings: swiftSettings),

        // Floor 1: what threads share; C and C++ shims over system libraries. `SampleLibrary` is data, embedded.
        .target(name: "Threads", swiftSettings: swiftSettings),
        .target(
            name: "CLua", cSettings: cSettings, linkerSettings: [archive("lua5.4"), archive("lua5.4-lpeg")]),
        .target(name: "CSimdjson", dependencies: ["CLibrary"], cxxSettings: cxxSettings),
        .target(
            name: "CSQLite", cSettings: cSettings, linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
        .target(name: "CInflate", cSettings: cSettings, linkerSettings: [archive("z")]),
        .target(
            name: "CXML", cSettings: cSettings + [.headerSearchPath("system")],
            linkerSettings: [
                archive("xml2"), archive("icuuc"), archive("icudata"), archive("lzma"), archive("z"),
                .linkedLibrary("stdc++"), .linkedLibrary("m"),
            ]),
        .target(name: "CUTF8Proc", cSettings: cSettings, linkerSettings: [archive("utf8proc")]),
        .target(name: "CCoding", cSettings: cSettings),
        .target(name: "CCrypto", cSettings: cSettings),
        .target(name: "CCurl", cSettings: cSettings),
        .target(name: "CArchive", cSettings: cSettings),
        .target(name: "CServe", cSettings: cSettings),
        .target(name: "CPicture", cSettings: cSettings),
        .target(name: "CChafa", cSettings: cSettings),
        .target(name: "CProcess", cSettings: cSettings),
        .target(name: "CSampleLibrary", cSettings: cSettings),

        // Floor 0: opens the libraries that are not linked.
        .target(name: "CLibrary", cSettings: cSettings),

        .testTarget(
            name: "VideoModelTests", dependencies: ["TestSupport", "VideoModel"], swiftSettings: swiftSettings),
        .testTarget(
            name: "VideoFormatsTests", dependencies: ["TestSupport", "VideoFormats"], swiftSettings: swiftSettings),
        .testTarget(
            name: "VideoServicesTests",
            dependencies: [
                "VideoServices", "CSampleLibrary", "Store", "TestSupport", "Threads", "VideoFormats", "VideoModel",
                "WebClient",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WebClientTests",
            dependencies: ["WebClient", "Probe", "Store", "TestSupport", "Threads", "VideoModel"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreTests", dependencies: ["Store", "Probe", "TestSupport", "Threads"], swiftSettings: swiftSettings
        ),
        .target(
            name: "TestSupport", dependencies: ["CCrypto", "Threads", "VideoModel"], path: "Tests/Support",
            swiftSettings: swiftSettings),
        // A second process for tests of what processes share.
        .executableTarget(
            name: "Probe", dependencies: ["Store", "VideoModel", "WebClient"], path: "Tests/Probe",
            swiftSettings: swiftSettings),
        .testTarget(name: "LuaRuntimeTests", dependencies: ["LuaRuntime"], swiftSettings: swiftSettings),
        .testTarget(
            name: "YTHostTests",
            dependencies: [
                "YTHost", "CLibrary", "CProcess", "LuaRuntime", "TestSupport", "Threads", "VideoServices",
                "VideoModel", "WebClient",
            ],
            exclude: ["Goldens", "Lua"], swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandTests", dependencies: ["TestSupport", "Threads"], exclude: ["Escape", "Goldens", "Judges"],
            swiftSettings: swiftSettings),
    ],
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17
)

// The modules that `import YTHost` gives to programs that embed ythost.

@_exported public import Arguments
@_exported public import Basics
@_exported public import Files
@_exported public import Gate
@_exported public import HostErrors
@_exported public import LuaAPI
@_exported public import Packages
@_exported public import Pictures
@_exported public import Pipeline
@_exported public import Players
@_exported public import RecordStreams
@_exported public import WorkerHost

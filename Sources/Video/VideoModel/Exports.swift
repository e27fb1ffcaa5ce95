@_exported public import Basics

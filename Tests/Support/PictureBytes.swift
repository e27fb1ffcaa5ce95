// Pictures of any size, of no more than what says so: enough for whoever looks at heads, nothing for whoever decodes.

public enum PictureBytes {
    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    public static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + number(width, 2).reversed() + number(height, 2).reversed() + [0, 0, 0, 0x3B]
    }

    public static func png(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8 + number(width, 4)
            + number(height, 4) + [8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0] + "IEND".utf8 + [0xAE, 0x42, 0x60, 0x82]
    }

    public static func box(_ name: String, _ inside: [UInt8]) -> [UInt8] {
        number(inside.count + 8, 4) + name.utf8 + inside
    }

    /// With these sizes of its parts beside its own.
    public static func avif(_ width: Int, _ height: Int, brand: String = "avif", tiles: [Int] = []) -> [UInt8] {
        let sizes = ([(width, height)] + tiles.map { ($0, $0) }).flatMap { size in
            box("ispe", [0, 0, 0, 0] + number(size.0, 4) + number(size.1, 4))
        }
        let properties = box("iprp", box("ipco", sizes) + box("ipma", [0, 0, 0, 0]))
        return box("ftyp", Array("\(brand)\0\0\0\0mif1".utf8)) + box("meta", [0, 0, 0, 0] + properties)
            + box("mdat", [1, 2, 3])
    }
}

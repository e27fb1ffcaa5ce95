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

    /// A PNG of pixels that are stored as they are.
    public static func bitmap(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> (Int, Int, Int)) -> [UInt8] {
        var raw: [UInt8] = []
        for y in 0..<height {
            raw.append(0)
            for x in 0..<width {
                let (red, green, blue) = pixel(x, y)
                raw += [UInt8(red), UInt8(green), UInt8(blue)]
            }
        }
        var (low, high) = (1, 0)
        for byte in raw {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        // RFC 1950 and 1951: blocks that are not compressed.
        var data: [UInt8] = [0x78, 1]
        var rest = raw[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            data.append(rest.isEmpty ? 1 : 0)
            data += number(block.count, 2).reversed() + number(~block.count & 0xFFFF, 2).reversed() + block
        }
        data += number(high << 16 | low, 4)
        func chunk(_ name: String, _ inside: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + inside
            var check: UInt32 = 0xFFFF_FFFF
            for byte in body {
                check ^= UInt32(byte)
                for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
            }
            return number(inside.count, 4) + body + number(Int(~check), 4)
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(width, 4) + number(height, 4) + [8, 2, 0, 0, 0]) + chunk("IDAT", data)
            + chunk("IEND", [])
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

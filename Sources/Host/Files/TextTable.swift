// Columns of plain text for help and listings.

import Basics

public enum TextTable {
    /// Lays out rows of cells. Each column is as wide as its widest cell; the last one is not padded. Cells may contain
    /// text from plugins, so control characters are replaced.
    public static func text(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(Text.clean) }
        let count = rows.map(\.count).max() ?? 0
        // A first cell over 44 columns does not widen its column; the rest of its row goes on the next line.
        let widths = (0..<count).map { column in
            rows.compactMap { $0.count > column ? Text.width($0[column]) : nil }.filter { $0 <= 44 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated()
                .map { column, cell in
                    if column == row.count - 1 { return cell }
                    if Text.width(cell) > widths[column], column == 0 {
                        return cell + "\n" + Text.pad("", to: widths[column])
                    }
                    return Text.pad(cell, to: widths[column])
                }
                .joined(separator: "  ").trimmingTrailingSpaces
        }
        .joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

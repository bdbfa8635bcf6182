#!/usr/bin/env python3
"""Reads tables of one fox or two on the 33-point cross by their published format alone, without their program.

    tests/read_table.py FILE POSITION...     needs the package zstandard; prints a line for each position

The format is that of src/engine/tablebase/format/mod.rs, the numbering that of src/engine/tablebase/strips/layout.rs (`strips`, `huffs`).
"""
import itertools, json, math, struct, sys, zlib
import zstandard

WIDTHS = [3, 3, 7, 7, 7, 3, 3]  # points of the ranks, from the lowest
PLACES = [(file, rank) for rank, width in enumerate(WIDTHS) for file in range((7 - width) // 2, (7 + width) // 2)]
NUMBER = {place: number for number, place in enumerate(PLACES)}


def turned(image):
    return [NUMBER[image(file, rank)] for file, rank in PLACES]


MIRRORS = [lambda f, r: (f, r), lambda f, r: (6 - f, r)]
ALL = MIRRORS + [lambda f, r: (f, 6 - r), lambda f, r: (6 - f, 6 - r), lambda f, r: (r, f), lambda f, r: (6 - r, f),
               lambda f, r: (r, 6 - f), lambda f, r: (6 - r, 6 - f)]


class Numbering:
    def __init__(self, may_go_back, turns, foxes, fortress):
        self.is_level, self.piece_patterns = not may_go_back, 1 << (18 if foxes == 1 else 14)
        images = [turned(image) for image in (ALL if turns else MIRRORS)]
        self.images = [image for image in images if {image[point] for point in fortress} == fortress]
        if may_go_back:
            orbits = {frozenset(image[point] for image in self.images) for point in range(33)}
            parts = sorted(orbits, key=lambda orbit: (-len(orbit), min(orbit)))
        else:
            ranks = [[point for point in range(33) if PLACES[point][1] == rank] for rank in range(7)]
            parts = sorted(ranks, key=lambda rank: (-len(rank), rank[0]))
        head = set()
        for part in parts:
            head |= set(part) if len(head) + len(part) <= 16 else set()
        self.head, self.tail = sorted(head), [point for point in range(33) if point not in head]

    def image(self, points, image):
        return [self.images[image][point] for point in points]

    def key(self, points):
        if not self.is_level:
            return len(points)
        key, weight = 0, 1
        for rank, width in enumerate(WIDTHS):
            key, weight = key + weight * sum(PLACES[point][1] == rank for point in points), weight * (width + 1)
        return key

    def kept(self, head):
        """Whether no image of a head comes before it."""
        return all(binary(head) <= binary(self.image(head, image)) for image in range(len(self.images)))

    def sets(self, points, size):
        """The sets of so many of the points by key, in order."""
        groups = {}
        for some in sorted(itertools.combinations(points, size), key=binary):
            groups.setdefault(self.key(some), []).append(some)
        return groups

    def pieces(self, geese):
        """For each piece of the layer in its order: its kept heads and its tails with their places."""
        pairs = []
        for size in range(geese + 1):
            heads = {key: [head for head in group if self.kept(head)] for key, group in self.sets(self.head, size).items()}
            tails = {key: numbered(group) for key, group in self.sets(self.tail, geese - size).items()}
            pairs += [(level(group[0]) + level(next(iter(others))) if self.is_level else 0, key, other, group, others)
                      for key, group in heads.items() if group for other, others in tails.items()]
        for *_, heads, tails in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:3])):
            each = -(-self.piece_patterns // len(tails))
            for start in range(0, len(heads), each):
                yield numbered(heads[start:start + each]), tails


def numbered(sets):
    return {points: place for place, points in enumerate(sets)}


def binary(points):
    return sum(1 << point for point in points)


def level(points):
    return sum(PLACES[point][1] for point in points)


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        blocks, count, header, size, crc, end = struct.unpack("<QQQQI12s", self.bytes[-48:])
        assert self.bytes[:16] == b"reynard table 1\n" and end == b"end of table", "no table"
        assert zlib.crc32(self.bytes[blocks:blocks + 32 * count] + self.bytes[header:header + size]) == crc, "damaged"
        self.header = json.loads(self.bytes[header:header + size])
        assert self.header["layout"] in ("strips", "huffs"), "another layout"
        assert self.header["rules"]["board"] == "cross33", "another board"
        self.blocks = [struct.unpack_from("<QQQIHH", self.bytes, blocks + 32 * block) for block in range(count)]
        moves = self.header["rules"]["goose_moves"]
        back = [move for move in moves if move.startswith("backward")]
        assert len(moves) == 5 or not back, "only geese that go any way or never back are known here"
        rules = self.header["rules"]
        attackers = rules.get("attacker_moves", "none")
        assert attackers in ("none", "forward_plus_edge"), "such attackers of a fortress are not known here"
        assert attackers == "none" or len(rules["fortress"]) == 9, "only the usual fortress is known here"
        assert not back or not rules.get("fox_home_wins"), "geese that go any way are not known where foxes run home"
        fortress = {NUMBER[ord(name[0]) - ord("a"), int(name[1:]) - 1] for name in rules.get("fortress") or []}
        # Inside a fortress attackers go back, outside they know a direction.
        turns = bool(back) and attackers == "none"
        numbers = range(1 if self.header["layout"] == "huffs" else rules["foxes"], rules["foxes"] + 1)
        numberings = {foxes: Numbering(bool(back) or attackers != "none", turns, foxes, fortress) for foxes in numbers}
        self.numbering = numberings[rules["foxes"]]
        pieces = [(foxes, *piece) for foxes in numbers for piece in numberings[foxes].pieces(self.header["geese"])]
        self.pieces = list(enumerate(pieces))

    def entry(self, block, row, column):
        frames, table, rows, _, height, width = self.blocks[block]
        frame, row = divmod(row, height)
        start = struct.unpack_from("<I", self.bytes, table + 8 * frame - 8)[0] if frame else 0
        end, crc = struct.unpack_from("<II", self.bytes, table + 8 * frame)
        packed = self.bytes[frames + start:frames + end]
        assert zlib.crc32(struct.pack("<II", block, frame) + packed) == crc, "damaged"
        if len(packed) == width:
            return int.from_bytes(packed, "little")
        entries = zstandard.ZstdDecompressor().decompress(packed)
        at = (column * min(height, rows - frame * height) + row) * width
        return int.from_bytes(entries[at:at + width], "little")

    def value(self, text):
        placement, turn = text.split()  # nothing is owed, held in hand or restricted
        points = {letter: [] for letter in "FG"}
        for rank, row in enumerate(reversed(placement.split("/"))):
            file = (7 - WIDTHS[rank]) // 2
            for letter in row:
                if letter in points:
                    points[letter].append(NUMBER[file, rank])
                file += int(letter) if letter.isdigit() else 1
        for image in range(len(self.numbering.images)):
            foxes, geese = (sorted(self.numbering.image(points[letter], image)) for letter in "FG")
            head, tail = (tuple(point for point in geese if point in half)
                          for half in (self.numbering.head, self.numbering.tail))
            for piece, (number, heads, tails) in self.pieces:
                if number == len(foxes) and head in heads and tail in tails:
                    row = heads[head] * len(tails) + tails[tail]
                    places = [sum(point not in geese for point in range(fox)) for fox in foxes]
                    column = sum(math.comb(place, number) for number, place in enumerate(places, 1))
                    entry = self.entry(2 * piece + (turn == "f"), row, column)
                    return ("draw", 0) if entry == 0 else ("geese" if entry % 2 == 0 else "fox", (entry - 1) // 2)
        raise ValueError(f"no place for {text}")


if __name__ == "__main__":
    table = Table(sys.argv[1])
    for position in sys.argv[2:]:
        print(*table.value(position), position, sep="\t")

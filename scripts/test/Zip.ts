/** Zip files as a test wants them, damaged ones too. */
import { crc32, deflateRawSync } from "node:zlib"

/** A part of a zip file. What it claims of itself may be wrong. */
export interface Part {
  readonly name: string
  readonly bytes: Buffer
  readonly size?: number
  readonly checksum?: number
  /** 0 for none, 8 for deflate. */
  readonly method?: number
  readonly flags?: number
}

/** A zip file of compressed parts. */
export const zip = (parts: ReadonlyArray<Part>): Buffer => {
  const [bodies, directory]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const { name, bytes, size = bytes.length, checksum = crc32(bytes), method = 8, flags = 0 } of parts) {
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(flags, 2)
    head.writeUInt16LE(method, 4)
    head.writeUInt32LE(checksum, 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(size, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, Buffer.from(name), packed])
    const [maker, place] = [Buffer.alloc(2), Buffer.alloc(14)]
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), maker, head, place, Buffer.from(name)]))
    bodies.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, central, Buffer.from("PK\x05\x06"), end])
}

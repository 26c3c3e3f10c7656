import { Buffer } from 'node:buffer'

/** One transparent pixel. */
export const PNG = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

/** The same pixel under a header that claims another size. */
export function wider(width: number, height: number): Uint8Array<ArrayBuffer> {
  const picture = Buffer.from(PNG)
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  return new Uint8Array(picture)
}

/** The same pixel in a file so large that it is sent in several pieces. */
export function padded(bytes: number): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(bytes)
  picture.set(PNG)
  return picture
}

import type { Readable } from 'node:stream'

import { createLineCutter } from './lines.ts'
import type { Line } from './lines.ts'

/** Hands over the lines of a stream one by one, each when the one before is finished. Its end ends nothing. */
export function readLines(input: Readable, onLine: (line: Line) => Promise<void>): { close(): void } {
  const cutter = createLineCutter()
  let open = true
  let earlier = Promise.resolve()

  // A paused stream takes no more chunks, but one that is at its end says so all the same.
  const handOver = async (before: Promise<void>, lines: Line[]) => {
    input.pause()
    await before
    for (const line of lines) if (open) await onLine(line)
    if (open) input.resume()
  }
  const onData = (chunk: Uint8Array | string) => {
    earlier = handOver(earlier, cutter.push(chunk))
  }
  const onEnd = () => {
    earlier = handOver(earlier, cutter.end())
  }
  input.on('data', onData)
  input.once('end', onEnd)
  // An earlier reader has left it paused.
  input.resume()
  return {
    close() {
      open = false
      input.off('data', onData)
      input.off('end', onEnd)
      input.pause()
    },
  }
}

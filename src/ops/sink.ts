import { pino } from 'pino'
import type { DestinationStream } from 'pino'

/** What waits for a reader at most, in code units; a line more and it is dropped. */
const MOST_WAITING = 4 * 1024 * 1024

/** Standard error, written beside everything else: a reader that is stuck loses lines, and holds nobody up. */
export function openSink(fd: number, mostWaiting = MOST_WAITING): DestinationStream {
  const sink = pino.destination({ fd, sync: false, maxLength: mostWaiting })
  const flush = sink.flushSync.bind(sink)
  let dropped = 0
  sink.on('drop', () => {
    dropped += 1
    // At the end the rest is written at once, which would wait for that reader for ever.
    sink.flushSync = () => {}
  })
  sink.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    sink.flushSync = flush
    sink.write(
      `${JSON.stringify({ level: 'warn', event: 'trouble', where: 'log', why: `${lines} lines were lost: nobody read them` })}\n`,
    )
  })
  return sink
}

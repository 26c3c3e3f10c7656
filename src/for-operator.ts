import type { Event } from './event.ts'
import { capacityWords, slowWords } from './supply.ts'

const BYTES_PER_MB = 1_000_000

/** What the operator is told of an event, in the chat; null for most. */
export function forOperator(event: Event): string | null {
  if (event.is === 'slow') return slowWords(event)
  if (event.is === 'capacity') return capacityWords(event)
  if (event.is === 'backup-failed' && !event.again)
    return `No backup could be made: ${event.why.replace(/\.?$/, '.')} I try again every hour, and write to you about it no more until one was made.`
  if (event.is === 'wal-grows')
    return `The log of my database (…-wal) has grown to ${Math.round(event.bytes / BYTES_PER_MB)} MB: another program holds the database open, such as a copy or a shell. Close that one, else the disk fills; the log gets small again by itself.`
  return null
}

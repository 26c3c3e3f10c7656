import type { Event } from './event.ts'
import { capacityWords, slowWords } from './supply.ts'

/** What the operator is told of an event, in the chat; null for most. */
export function forOperator(event: Event): string | null {
  if (event.is === 'slow') return slowWords(event)
  if (event.is === 'capacity') return capacityWords(event)
  if (event.is === 'backup-failed' && !event.again)
    return `No backup could be made: ${event.why.replace(/\.?$/, '.')} I try again every hour, and write to you about it no more until one was made.`
  return null
}

import { systemClock } from '../../src/runtime/clock.ts'
import takeLead from '../../src/stores/journal/lead.ts'

// Follows the cell that it is given until its input ends, and prints how many seconds it is behind, a line each time.

const [, , url = ''] = process.argv
const stopping = new AbortController()
process.stdin.on('end', () => stopping.abort(new Error('over'))).resume()
await takeLead({
  ...{ url, clock: systemClock(), signal: stopping.signal },
  emit: (event) => void (event.is === 'standing' && process.stdout.write(`${event.behindSeconds}\n`)),
}).catch(() => {})

import { startWatchdog } from '../../src/ops/liveness/watchdog.ts'
import { systemClock } from '../../src/runtime/clock.ts'

/** A process with a watchdog: its loop stands still from the first moment on, or it ends by itself. */
const [, , how, limitMs] = process.argv

function goRoundForEver(): never {
  for (;;);
}

startWatchdog({
  clock: systemClock(),
  emit: (event) => process.stderr.write(`${JSON.stringify(event)}\n`),
  limitMs: Number(limitMs),
})
if (how === 'busy') goRoundForEver()
if (how === 'waiting') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
process.stdin.once('data', () => process.exit(0))

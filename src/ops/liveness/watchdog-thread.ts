import { write } from 'node:fs'
import { type Debugger, Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

import { systemClock } from '../../runtime/clock.ts'
import { createStillness, type Watched } from './watchdog.ts'

/** A main thread that is suspended from outside cannot report its stack. */
const ASK_LIMIT_MS = 2_000
/** A stuck reader of the log must not keep this process alive. */
const WRITE_LIMIT_MS = 1_000
const FRAMES = 20
const STDERR = 2
/** The first process of a container ignores signals that it sends to itself. */
const FIRST = 1
/** https://man.freebsd.org/cgi/man.cgi?sysexits: an internal software error. */
const SOFTWARE_ERROR = 70

const clock = systemClock()
const { beats, limitMs, lookEveryMs } = workerData as Watched
const stillMsOf = createStillness(lookEveryMs)

function look(): void {
  const stillMs = stillMsOf(Atomics.load(beats, 0), clock.monotonic())
  if (stillMs >= limitMs) finish(stillMs)
  else clock.wakeAt(clock.monotonic() + lookEveryMs, look)
}

/** Says where the main thread stands, and ends the process. */
function finish(stillMs: number): void {
  const main = new Session()
  main.connectToMainThread()
  const files = new Map<string, string>()
  const place = ({ functionName, location: { scriptId, lineNumber } }: Debugger.CallFrame) =>
    `${functionName || '(anonymous)'} ${files.get(scriptId) ?? ''}:${lineNumber + 1}`
  const giveUp = clock.wakeAt(clock.monotonic() + ASK_LIMIT_MS, () => tell(stillMs, [], end))
  main.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void files.set(scriptId, url))
  main.on('Debugger.paused', ({ params: { callFrames } }) => {
    giveUp()
    tell(stillMs, callFrames.slice(0, FRAMES).map(place), () =>
      process.pid === FIRST ? exitIn(main, callFrames) : end(),
    )
  })
  main.post('Debugger.enable')
  main.post('Debugger.pause')
}

/** The surest end, as nothing can block it. The store survives it. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

function exitIn(main: Session, [frame]: Debugger.CallFrame[]): void {
  const expression = `process.reallyExit(${SOFTWARE_ERROR})`
  if (frame) main.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression })
}

/** Writes a line in the log's format straight to stderr, because the log itself hangs too. */
function tell(stillMs: number, stack: readonly string[], then: () => void): void {
  const line = {
    level: 'fatal',
    time: new Date(clock.now()).toISOString(),
    event: 'stalled',
    why: `The loop has stood still for ${Math.round(stillMs / 1_000)} s, so this process ends. Its supervisor should start it again.`,
    stack,
  }
  let told = false
  const once = () => {
    if (told) return
    told = true
    then()
  }
  clock.wakeAt(clock.monotonic() + WRITE_LIMIT_MS, once)
  write(STDERR, `${JSON.stringify(line)}\n`, once)
}

look()

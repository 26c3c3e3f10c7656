import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { type LogOutput, openSink, standardError } from '../../src/ops/sink.ts'
import { handClock } from '../support/clock.ts'
import { budget, createDice, type Dice, SEED } from '../support/seed.ts'

const SINK = new URL('../../src/ops/sink.ts', import.meta.url).href

/** Writes more than any pipe holds to standard error, and goes on with other things. */
const PROGRAM = `
import { ${standardError.name} as open } from '${SINK}'
const sink = open(256 * 1024)
const line = JSON.stringify({ text: 'x'.repeat(1_000) }) + '\\n'
for (let count = 0; count < 2_000; count++) sink.write(line)
setTimeout(() => process.stdout.write('free\\n'), 50)
process.stdin.on('data', () => process.exit(0))
`

function start() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM])
  const closed = once(child, 'exit')
  return { child, closed, isFree: once(child.stdout, 'data') }
}

test('a reader of the log that is stuck holds nothing up, not even the end', async () => {
  const { child, closed, isFree } = start()
  // Nobody reads what it writes there.
  child.stderr.pause()
  await isFree
  child.stdin.write('end\n')
  expect(await closed).toEqual([0, null])
})

test('once it reads again it is told how many lines it has lost', async () => {
  const { child, closed, isFree } = start()
  child.stderr.pause()
  await isFree
  let read = ''
  const isTold = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      read += chunk.toString()
      if (/\d+ lines were lost: nobody read them/.test(read)) resolve()
    })
  })
  child.stderr.resume()
  await isTold
  child.stdin.write('end\n')
  await closed
  const lost = Number(/(\d+) lines were lost/.exec(read)?.[1])
  expect(lost + (read.match(/"text"/g)?.length ?? 0)).toBe(2_000)
})

const MOST_WAITING = 2_000

/** A file that fails as `outcome` says, and what is in it. */
function brittle(outcome: () => 'whole' | 'part' | 'hangs' | 'throws' | 'EAGAIN' | 'ENOSPC' | 'EPIPE') {
  let written = ''
  let tries = 0
  const failed = (code: string) => Object.assign(new Error(code), { code })
  const part = (bytes: Buffer, how: string) => (how === 'part' ? Math.ceil(bytes.length / 2) : bytes.length)
  const take = (bytes: Buffer, count: number) => {
    written += bytes.subarray(0, count).toString('latin1')
    return count
  }
  const output: LogOutput = {
    write(bytes, done) {
      const how = outcome()
      if (how === 'throws') throw failed('EBADF')
      if (how === 'hangs') return
      const isTaken = how === 'whole' || how === 'part'
      setImmediate(() => (isTaken ? done(null, take(bytes, part(bytes, how))) : done(failed(how), 0)))
    },
    writeNow(bytes) {
      tries += 1
      const how = outcome()
      if (how === 'whole' || how === 'part') return take(bytes, part(bytes, how))
      throw failed(how)
    },
  }
  return { output, text: () => Buffer.from(written, 'latin1').toString(), tries: () => tries }
}

function opened(file: ReturnType<typeof brittle>) {
  const clock = handClock()
  const sink = openSink({ output: file.output, clock, mostWaiting: MOST_WAITING })
  let count = 0
  return {
    clock,
    sink,
    says: () => sink.write(`${JSON.stringify({ count: count++, text: 'ä'.repeat(20) })}\n`),
    count: () => count,
  }
}

/** What somebody reads: the lines that came, and how many are said to be lost. */
function reads(text: string): { counts: number[]; lost: number; why: string[] } {
  const lines = text.split('\n').filter((line) => line !== '')
  const all = lines.map((line) => JSON.parse(line) as { count?: number; why?: string })
  const why = all.flatMap((one) => one.why ?? [])
  return {
    counts: all.flatMap((one) => one.count ?? []),
    lost: why.reduce((sum, words) => sum + Number(/^\d+/.exec(words)?.[0]), 0),
    why,
  }
}

test('on a full disk it waits for room, keeps each line whole, and says what is lost', async () => {
  let isFull = true
  const file = brittle(() => (isFull ? 'ENOSPC' : 'part'))
  const { clock, says, count } = opened(file)
  for (let second = 0; second < 120; second++) {
    says()
    await clock.advance(1_000)
  }
  expect(file.text()).toBe('')
  isFull = false
  for (let second = 0; second < 10; second++) await clock.advance(1_000)
  const { counts, lost, why } = reads(file.text())
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.length + lost).toBe(count())
  expect(why).toEqual([
    expect.stringMatching(/^\d+ lines were lost: the log could not be written \(ENOSPC\)$/),
  ])
})

test.each(['ENOSPC', 'EPIPE', 'EAGAIN', 'throws'] as const)(
  'where every write fails (%s), the end comes after a few attempts',
  async (how) => {
    const file = brittle(() => how)
    const { clock, sink, says } = opened(file)
    says()
    await clock.advance(5_000)
    sink.end()
    expect(file.tries()).toBeLessThanOrEqual(10)
  },
)

test('a write that hangs keeps neither the next line nor the end waiting', async () => {
  const file = brittle(() => 'hangs')
  const { clock, sink, says } = opened(file)
  says()
  await clock.advance(2_000)
  says()
  sink.end()
  expect(file.tries()).toBe(0)
})

test('the end writes what is left, behind what the system has already', async () => {
  const file = brittle(() => 'whole')
  const { clock, sink, says } = opened(file)
  for (let line = 0; line < 3; line++) says()
  sink.end()
  await clock.advance(1_000)
  expect(new Set(reads(file.text()).counts)).toEqual(new Set([0, 1, 2]))
})

test('whatever fails in whatever order, lines stay whole and in order, and each one lost is counted', async () => {
  const run = async (dice: Dice) => {
    let isCalm = false
    const FAULTS = ['whole', 'part', 'part', 'throws', 'EAGAIN', 'ENOSPC', 'EPIPE'] as const
    const file = brittle(() => (isCalm ? 'whole' : dice.one(FAULTS)))
    const { clock, says, count } = opened(file)
    for (let step = 0; step < 40; step++) {
      for (let line = dice.below(8); line > 0; line--) says()
      if (dice.often(0.7)) await clock.advance(dice.below(1_500))
    }
    isCalm = true
    await clock.advance(2_000)
    says()
    await clock.advance(2_000)
    const { counts, lost } = reads(file.text())
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBe(counts.length)
    expect(counts.length + lost).toBe(count())
  }
  for (let round = 0; round < budget(400, 20); round++) await run(createDice(SEED + round))
})

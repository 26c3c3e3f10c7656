import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { openSink } from '../../src/ops/log.ts'

const SINK = new URL('../../src/ops/log.ts', import.meta.url).href

/** Writes more than any pipe holds to standard error, and goes on with other things. */
const PROGRAM = `
import { ${openSink.name} as open } from '${SINK}'
const sink = open(2, 256 * 1024)
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { expect, test } from 'vitest'

import { COMPILED } from '../../support/program.ts'
import { csvFile, minuteBars, SUGGESTED } from '../../support/sim.ts'

const ALONE = new URL('../../../src/venues/sim/alone.ts', import.meta.url).pathname

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [ALONE], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...env },
  })
  const exit = once(child, 'exit').then(([code]: unknown[]) => code)
  return { child, exit, lines: createInterface(child.stdout) }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'alone, it says where it is and ends on %s with 0',
  async (signal) => {
    const { child, exit, lines } = start({ SIM_PORT: '0' })
    const said: string[] = []
    for await (const line of lines) {
      said.push(line)
      if (line.startsWith('Ctrl-C')) break
    }
    expect(said.join('\n')).toContain(SUGGESTED)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said[0] ?? '')?.[0]
    expect((await fetch(`${url}/markets`)).status).toBe(200)
    child.kill(signal)
    expect(await exit).toBe(0)
  },
)

test('alone, it goes on after the end of its replay', async () => {
  await using file = await csvFile(minuteBars(100, 101))
  const { child, exit, lines } = start({ SIM_PORT: '0', SIM_REPLAY: file.path, SIM_SPEED: '6000' })
  let url = ''
  for await (const line of lines) {
    url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (line.startsWith('The replay is over')) break
  }
  expect((await fetch(`${url}/markets`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})

test('alone, it says every mistake and ends with 1', async () => {
  const { child, exit } = start({ SIM_PORT: 'x', SIM_SPEED: '-1' })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  expect(await exit).toBe(1)
  expect(said).toContain('SIM_PORT is a port')
  expect(said).toContain('SIM_SPEED is how many')
})

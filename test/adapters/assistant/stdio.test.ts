import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually } from '../../support/patience.ts'
import { COMPILED, type Program, runProgram } from '../../support/program.ts'
import { SUGGESTED } from '../../support/sim.ts'
import { answerOf } from './asked.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BRIDGE = 'adapters/assistant/stdio.ts'
const PATH = process.env['PATH'] ?? ''
const STRANGE = 'perch_aGuessOfSomebodyWhoKnowsHowTheyLook'

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'perch-stdio-'))))
afterAll(() => rm(folder, { recursive: true }))

/** The bridge as an assistant starts it. `said`: what people read. */
function bridge(env: Record<string, string>) {
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [BRIDGE], cwd: ROOT, stderr: 'pipe' },
    env: { PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { transport, said: () => said }
}

/** Lines to the bridge, and all that it printed until its end. */
const lines = (env: Record<string, string>, ...input: string[]) =>
  printedBy([process.execPath, BRIDGE], env, input)

async function printedBy([command = '', ...args]: string[], env: Record<string, string>, input: string[]) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
  })
  let [printed, said] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdin.end(input.join('\n'))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said, printed: printed.split('\n').filter((line) => line !== '') }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function running(): Promise<{ program: Program; url: string; token: string }> {
  const program = runProgram('src/main.ts', { DATABASE_URL: join(folder, 'perch.sqlite') })
  program.type(`/watch ${SUGGESTED} demo`)
  program.type('/assistant new claude')
  await program.prints(/perch_[\w-]+/)
  await eventually(() => /"what":"http"/.test(program.log()))
  const url = /"what":"http","url":"([^"]+)"/.exec(program.log())?.[1] ?? ''
  return { program, url, token: /perch_[\w-]+/.exec(program.output())?.[0] ?? '' }
}

test('an assistant that starts programs asks the Perch that runs', async () => {
  const { program, url, token } = await running()
  await using _ends = program
  // Clients of 2025 and of 2026.
  for (const versionNegotiation of [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }] as const) {
    const { transport, said } = bridge({ PERCH_URL: `${url}/`, PERCH_TOKEN: token })
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
    const strange: Error[] = []
    client.onerror = (error) => void strange.push(error)
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(6)
    const { data, text } = answerOf(await client.callTool({ name: 'positions', arguments: {} }))
    expect(data).toMatchObject({ simulated: true, wallets: [{ walletLabel: 'demo' }] })
    expect(text).toMatch(/^SIMULATED/)
    await client.close()
    expect([said(), strange]).toEqual(['', []])
  }
  expect(program.output() + program.log()).toContain(token)
  expect(program.log()).not.toContain(token)

  const refused = await lines(
    { PERCH_URL: url, PERCH_TOKEN: STRANGE },
    ...[
      '{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":"b","method":"ping"}',
      'no json',
    ],
  )
  expect(refused.printed.map((line) => JSON.parse(line) as unknown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 7,
        error: { code: -32_000, message: expect.stringContaining('/assistant new') },
      }),
      expect.objectContaining({ id: 'b', error: expect.anything() }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
    ]),
  )
  expect(refused.said).toBe(
    'Perch refuses PERCH_TOKEN: make another one with /assistant new, in a chat with Perch.\n',
  )
  expect(refused.printed.join() + refused.said).not.toContain(STRANGE)
})

test('it says where it looked for Perch, and what it lacks', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const away = await lines(
    { PERCH_URL: url, PERCH_TOKEN: STRANGE },
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  )
  expect(away.said).toBe(`Perch does not answer at ${url}. Start it, or set PERCH_URL.\n`)
  expect(away.printed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { id: 1, error: { code: -32_000 } },
  ])
  expect(await lines({ PERCH_URL: url })).toEqual({
    ...{ code: 1, printed: [] },
    said: 'PERCH_TOKEN is the token that /assistant new shows once, in a chat with Perch.\n',
  })
  const wrong = await lines({ PERCH_URL: 'perch', PERCH_TOKEN: STRANGE })
  expect(wrong).toMatchObject({
    code: 1,
    printed: [],
    said: expect.stringContaining('https://perch.example.com'),
  })
})

test('by npm it prints the protocol alone', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const asked = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const command = ['npm', 'run', '--silent', '--prefix', ROOT, 'mcp']
  const { printed } = await printedBy(command, { PERCH_URL: url, PERCH_TOKEN: STRANGE }, [asked])
  expect(printed.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ id: 1, error: {} }])
})

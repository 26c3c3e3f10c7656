import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { ALICE } from '../../support/fixtures.ts'
import { startLighter } from '../../support/lighter/server.ts'
import { COMPILED } from '../../support/program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The first frame of each channel: all prices, and the positions and figures of both accounts. */
const FIRST_FRAMES = 5

/** Interrupts the probe once it has heard all that is there. */
async function probe(address: string, url: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['src/venues/lighter/probe.ts', address], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILED, LIGHTER_URL: url },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const isEnough = [...said.matchAll(/^ {2}subscribed\/\w+$/gm)].length >= FIRST_FRAMES
    if (isEnough && !child.killed) child.kill('SIGINT')
  })
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

async function started() {
  const standIn = await startLighter()
  const main = standIn.account(ALICE, 20_000)
  main.trades('ETH', 4, { leverage: 10 })
  main.trades('BTC', -0.3, { leverage: 10 })
  const sub = main.sub(5_000)
  sub.trades('SOL', 50, { leverage: 5, margin: 'isolated' })
  return { standIn, main, sub, [Symbol.asyncDispose]: () => standIn.stop() }
}

test('the probe finds nothing new where the venue is as documented', async () => {
  await using bot = await started()
  const { code, said } = await probe(ALICE, bot.standIn.url)
  expect(code).toBe(0)
  expect(said).toContain('account: 200')
  expect(said).toMatch(/liquidation price in BTC \(cross\): [\d.]+ millionths apart\n/)
  expect(said).toMatch(/liquidation price in SOL \(isolated\): [\d.]+ millionths apart\n/)
  expect(said).toContain('the pushed funding rates of an hour are per cent\n')
  expect(said).toMatch(/subscribed\/account_all: 2/)
  expect(said).toContain('positions.<id>.sign: number')
  expect(said).not.toMatch(/DISAGREE|CANNOT BE USED|WE TAKE THEM|WHICH IS NEW/)
  // Neither the wallet nor its accounts are anybody's business.
  expect(said.toLowerCase()).not.toContain(ALICE.toLowerCase())
  expect(said).not.toContain(String(bot.sub.index))
})

test('the probe shows where the venue differs', async () => {
  await using bot = await started()
  bot.standIn.rewrites('funding-rates', (body) => {
    const rates = body['funding_rates'] as { rate: number }[]
    return { ...body, funding_rates: rates.map((each) => ({ ...each, rate: each.rate * 100 })) }
  })
  bot.standIn.rewrites('account', (body) => {
    const [first] = body['accounts'] as { cross_asset_value: string; colour?: string }[]
    if (first) Object.assign(first, { cross_asset_value: '30000', colour: 'blue' })
    return body
  })
  bot.standIn.rewrites('user_stats', (body) => ({ ...body, stats: 'none' }))
  const { said } = await probe(ALICE, bot.standIn.url)
  expect(said).toContain('new is colour')
  expect(said).toMatch(/liquidation price in BTC \(cross\): [\d.]+ millionths apart, THEY DISAGREE/)
  expect(said).toContain('of an hour are a fraction, WE TAKE THEM FOR PER CENT')
  expect(said).toContain('CANNOT BE USED: subscribed/user_stats')
})

test('the probe of no address says what to type', async () => {
  const { code, said } = await probe('0x12', 'http://127.0.0.1:1')
  expect(code).toBe(1)
  expect(said).toContain('npm run probe:lighter -- 0x')
})

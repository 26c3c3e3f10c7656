import { expect, test } from 'vitest'

import { runProgram } from '../program.ts'
import { connect, info, post } from './client.ts'

const ALONE = new URL('./alone.ts', import.meta.url).pathname

async function open() {
  const program = runProgram(ALONE, { FAKE_HYPERLIQUID_PORT: '0' })
  await program.prints('hyperliquid> ')
  const [, url = ''] = /VENUE_URL=(\S+)/.exec(program.output()) ?? []
  const [, wallet = ''] = /watch (\S+) main/.exec(program.output()) ?? []
  return { program, venue: { url }, wallet }
}

test('alone, it has every recorded market and a wallet, and prices are moved by hand', async () => {
  const { program, venue, wallet } = await open()
  await using _ = program
  await using socket = await connect(venue)
  socket.subscribe({ type: 'activeAssetCtx', coin: 'BTC' })
  await socket.takes('activeAssetCtx')
  expect((await info(venue, { type: 'meta' })).universe).toHaveLength(228)
  program.type('BTC -10%')
  await program.prints('BTC is at 59710.0')
  const state = await info(venue, { type: 'clearinghouseState', user: wallet })
  expect(state.assetPositions[0].position.positionValue).toBe('29855.0')
  program.type('fault error 1 clearinghouseState')
  program.type('sell ETH 1 5')
  await program.prints('ETH -1.0')
  expect((await post(venue, { type: 'clearinghouseState', user: wallet })).status).toBe(500)
  program.type('quit')
  expect(await program.ends()).toMatchObject({ code: 0 })
})

test('alone, it says what it does not know', async () => {
  const { program } = await open()
  await using _ = program
  for (const line of ['fly', 'NOPE 5', 'BTC high', 'fault flood', 'wallet main', 'help']) program.type(line)
  await program.prints('there is no "fly"; help says what there is')
  await program.prints('the stand-in has no market NOPE')
  await program.prints('high is no number')
  await program.prints('a fault is one of error, limit')
  await program.prints('main is no address: 0x and 40 hexadecimal digits')
  await program.kill('SIGTERM')
  expect(program.process.exitCode).toBe(0)
})

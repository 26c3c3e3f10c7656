import { expect, test } from 'vitest'

import { runProgram } from '../program.ts'
import { connect, get } from './client.ts'

const ALONE = new URL('./alone.ts', import.meta.url).pathname

async function open() {
  const program = runProgram(ALONE, { FAKE_LIGHTER_PORT: '0' })
  await program.prints('lighter> ')
  const [, url = ''] = /VENUE_URL=(\S+)/.exec(program.output()) ?? []
  const [, wallet = ''] = /watch (\S+) main/.exec(program.output()) ?? []
  return { program, venue: { url }, wallet }
}

test('alone, it has a wallet, and prices, positions, sub-accounts and outages are made by hand', async () => {
  const { program, venue, wallet } = await open()
  await using _ = program
  await using socket = await connect(venue)
  socket.subscribe('account_all/1077')
  await socket.takes('subscribed/account_all')
  program.type('ETH -1%')
  await program.prints('ETH is at 3515.18')
  program.type('sell BTC 0.02 10 isolated')
  expect((await socket.takes('update/account_all')).positions[1]).toMatchObject({
    margin_mode: 1,
    initial_margin_fraction: '10.00',
  })
  program.type('close BTC 0.01')
  await socket.takes('update/account_all')
  program.type('liquidate ETH')
  expect((await socket.takes('update/account_all')).trades[0][0].type).toBe('liquidation')
  program.type('sub 500')
  await program.prints('* account 281474976710588: 500.00 USD')
  const { accounts } = (await get(venue, `account?by=l1_address&value=${wallet}`)).body
  expect(accounts.map(({ index }: { index: number }) => index)).toEqual([1077, 281_474_976_710_588])
  program.type('outage')
  expect(await socket.closed).toBe(1006)
  await expect(connect(venue)).rejects.toThrow('503')
  expect((await get(venue, 'orderBookDetails')).status).toBe(503)
  program.type('calm')
  program.type('fault error 1 account')
  program.type('limits')
  await program.prints('broken: none')
  expect((await get(venue, 'account?by=index&value=1077')).status).toBe(500)
  expect((await get(venue, 'account?by=index&value=1077')).status).toBe(200)
  program.type('quit')
  expect(await program.ends()).toMatchObject({ code: 0 })
})

test('alone, it says what it does not know', async () => {
  const { program } = await open()
  await using _ = program
  for (const line of ['fly', 'NOPE 5', 'ETH high', 'fault flood', 'account 5', 'wallet main', 'help']) {
    program.type(line)
  }
  await program.prints('there is no "fly"; help says what there is')
  await program.prints('the stand-in has no market NOPE')
  await program.prints('high is no number')
  await program.prints('a fault is one of error, unavailable')
  await program.prints('there is no account 5; there are 1077')
  await program.prints('main: A wallet address starts with 0x.')
  await program.kill('SIGTERM')
  expect(program.process.exitCode).toBe(0)
})

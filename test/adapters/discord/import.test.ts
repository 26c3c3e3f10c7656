import { Buffer } from 'node:buffer'

import { expect, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import { anExport } from '../../support/an-export.ts'
import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { textOf } from '../../support/discord/readable.ts'
import { startDiscord } from '../../support/discord/server.ts'
import { online, startApp } from './app.ts'

const wallets = [{ wallet: ALICE, label: '@everyone', as: 'own' }]
const content = Buffer.from(JSON.stringify(anExport({ wallets })))

async function withOlga() {
  const discord = await startDiscord()
  const app = await startApp(discord, systemClock())
  await online(discord)
  const olga = discord.user('olga')
  const says = async (line: string, given: Parameters<typeof olga.runs>[1] = {}) =>
    textOf(await olga.runs(line, given).answer())
  await says(`/start code:${CLAIM_CODE}`)
  return {
    ...{ discord, olga, says },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await discord.stop()
    },
  }
}

test('/import takes a file as its option, asks, and calls nobody by a label', async () => {
  await using at = await withOlga()
  const file = at.discord.uploads({ name: 'perch-export.json', content })
  const asked = await at.says('/import', { file })
  expect(asked).toContain('Take over 1 wallet and 0 alerts?')
  const done = textOf(await at.olga.taps('Take it over').answer())
  expect(done).toContain('✓ Took over 1 wallet and 0 alerts')
  expect(await at.says('/wallets')).toContain('everyone')
  expect(at.discord.ledger.messages(at.olga.dm).flatMap(({ pings }) => pings)).toEqual([])
})

test('without a file it says how', async () => {
  await using at = await withOlga()
  expect(await at.says('/import')).toMatch(/Or choose it at <\/import/)
})

test.each([
  ['names a place that is not Discord’s', { url: 'http://127.0.0.1:9/secret' }, 'I couldn’t read that file.'],
  ['says that it is huge', { size: 10_000_000 }, 'That file is too large for an export.'],
])('a file that %s is not fetched', async (_how, lie, said) => {
  await using at = await withOlga()
  const file = at.discord.uploads({ name: 'x.json', content, says: lie })
  expect(await at.says('/import', { file })).toContain(said)
})

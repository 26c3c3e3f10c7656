import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { createEvents } from '../../../src/runtime/event.ts'
import { createApp } from '../../../src/start/app.ts'
import type { Asking, Venue } from '../../../src/venue/venue.ts'
import { breathe } from '../../support/clock.ts'
import { createRecorder } from '../../support/recorder.ts'
import orders from './recorded/frontendOpenOrders-tpsl-2023.json' with { type: 'json' }
import account from './recorded/hlp-child-m3-2026-07-19.json' with { type: 'json' }
import dexes from './recorded/perpDexs-2025-12-13.json' with { type: 'json' }
import { type InfoUnderTest, startInfo } from './server.ts'
import { openStore } from '../../support/open-store.ts'

const PATH = fileURLToPath(new URL('../../../docs/hyperliquid.md', import.meta.url))
const OWNER = account.request.clearinghouseState.user

const HEAD = `## A conversation

The account was recorded by others on 2026-07-19: one of the venue's own liquidity providers, with three markets of that
instant. Its orders come from another wallet in 2023. The order book is the best bid and ask of that instant. The fee and the
withdrawable amount are made up.
`

const LINES = [
  `/watch ${OWNER} main`,
  '/positions',
  '/orders open',
  '/market dydx',
  '/funding',
  '/preview main DYDX -50%',
  '/status',
]

/** What was recorded, by the question that it answers. */
function answersAsRecorded(info: InfoUnderTest): void {
  const { perpUniverse, assetContexts, positions, ...sums } = account.body
  const marginTables = perpUniverse.flatMap(({ marginTableId, marginTable }) =>
    marginTable === null ? [] : [[marginTableId, marginTable]],
  )
  info.answers('perpDexs', () => dexes.body)
  info.answers('metaAndAssetCtxs', ({ dex }) =>
    dex === undefined
      ? [{ universe: perpUniverse, marginTables, collateralToken: 0 }, assetContexts]
      : [{ universe: [], marginTables: [], collateralToken: 0 }, []],
  )
  const held = positions.map((position) => ({ type: 'oneWay', position }))
  const flat = { accountValue: '0.0', totalNtlPos: '0.0', totalRawUsd: '0.0', totalMarginUsed: '0.0' }
  const empty = { marginSummary: flat, crossMarginSummary: flat, crossMaintenanceMarginUsed: '0.0' }
  info.answers('clearinghouseState', ({ dex }) =>
    dex === undefined
      ? { ...sums, withdrawable: '2809850.0', assetPositions: held, time: 1_784_440_205_170 }
      : { ...empty, withdrawable: '0.0', assetPositions: [], time: 1_784_440_205_170 },
  )
  info.answers('frontendOpenOrders', ({ dex }) => (dex === undefined ? orders.body : []))
  info.answers('userFees', () => ({ userCrossRate: '0.00045' }))
  info.answers('userRole', () => ({ role: 'user' }))
  info.answers('l2Book', ({ coin }) => {
    const [bid = '0', ask = '0'] = assetContexts.find(({ name }) => name === coin)?.impactPxs ?? []
    const level = (px: string) => [{ px, sz: '1000000.0', n: 1 }]
    return { coin, levels: [level(bid), level(ask)], time: 0 }
  })
}

/** The real bot before that server; it waits for its turn as it would before the venue. */
async function conversation(): Promise<string> {
  await using info = await startInfo()
  answersAsRecorded(info)
  const folder = await mkdtemp(join(tmpdir(), 'perch-conversation-'))
  const { clock } = info
  let open = 0
  clock.restsWhen(async () => {
    do await breathe(1)
    while (open > 0)
  })
  const counted = (asking: Asking): Asking => ({
    ...asking,
    spend: (request, weight) =>
      asking.spend((more) => {
        open += 1
        return request(more).finally(() => (open -= 1))
      }, weight),
  })
  const { venue } = info
  const watched: Venue = {
    ...venue,
    markets: (asking, ...rest) => venue.markets(counted(asking), ...rest),
    market: (id, asking) => venue.market(id, counted(asking)),
    positions: (wallet, asking) => venue.positions(wallet, counted(asking)),
    orders: (wallet, states, asking) => venue.orders(wallet, states, counted(asking)),
    preview: (draft, asking) => venue.preview(draft, counted(asking)),
  }
  const store = await openStore(join(folder, 'perch.sqlite'), 'hyperliquid', clock)
  const platform = createRecorder('terminal', clock, true)
  const app = await createApp({
    venue: {
      ...{ venue: watched, simulated: false, introduction: [], endsBot: false },
      identity: 'hyperliquid https://api.hyperliquid.xyz',
      close: () => Promise.resolve(),
    },
    ...{ store, clock, events: createEvents(), random: () => 0.5, adapters: [platform.adapter] },
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
      ...{
        access: 'claim',
        maxWallets: 20,
        maxFollowed: 50,
        maxRules: 100,
        maxPeople: 10_000,
        maxCommandsPerMinute: 100,
        version: '0.1.0',
      },
    },
    newCode: () => 'CODE-CODE-CODE',
    newToken: () => 'perch_TOKEN',
    claimCode: null,
    quit() {},
  })
  await app.start()
  const said: string[] = []
  try {
    // Every book is looked at once after a start.
    await clock.advance(120_000)
    for (const line of LINES) {
      let answer: string | null = null
      const asked = platform.says('me', line).then((text) => (answer = text))
      while (answer === null) await clock.advance(100)
      said.push(`> ${line}\n\n${await asked}`)
      await clock.advance(30_000)
      platform.hears('me')
    }
  } finally {
    await app.stop()
    await store.admin.close()
    await rm(folder, { recursive: true })
  }
  return `${HEAD}\n\`\`\`text\n${said.join('\n\n')}\n\`\`\`\n`
}

test('the conversation in docs/hyperliquid.md is what the bot says of that account today', async () => {
  const part = await conversation()
  const page = readFileSync(PATH, 'utf8')
  const kept = /^## A conversation\n[\s\S]*?^```\n(?=\n## )/m
  if (process.env['UPDATE_DOCS']) {
    const next = '\n## Words\n'
    writeFileSync(
      PATH,
      kept.test(page) ? page.replace(kept, () => part) : page.replace(next, () => `\n${part}${next}`),
    )
  }
  expect(kept.exec(readFileSync(PATH, 'utf8'))?.[0]).toBe(part)
})

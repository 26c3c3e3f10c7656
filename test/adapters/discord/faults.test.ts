import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ageText as age } from '../../../src/lib/text/format.ts'
import { CLAIM_CODE } from '../../support/bot.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Fault } from '../../support/discord/faults.ts'
import type { Person } from '../../support/discord/people.ts'
import { writeTable } from './page.ts'

const POST = 'POST /channels/:id/messages'
const CALLBACK = 'POST /interactions/:id/:token/callback'
const EDIT = 'PATCH /webhooks/:app/:token/messages/:message'

let bot: DiscordBot
let alerts: Channel
let olga: Person
const flips: number[] = []
const recovered: [what: string, ms: number][] = []

beforeAll(async () => {
  bot = await startDiscordBot()
  alerts = bot.discord.guild('Traders').channel('alerts')
  olga = bot.discord.guild('Traders').member('olga', { manageServer: true })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  await bot.online()
  await asks(`/start code:${CLAIM_CODE}`)
  await asks('/channel bind')
  await asks('/alert funding-flip market:BTC')
  await bot.pass(4_000)
})
afterAll(() => bot[Symbol.asyncDispose]())

const asks = (line: string) => bot.says(olga, line, alerts)
const posts = () =>
  alerts.messages().filter(({ origin, content }) => origin === 'post' && content.includes('funding flipped'))

/** Funding flips, and the channel is told; how long that took by the bot's clock. */
async function flip(): Promise<number> {
  const before = posts().length
  flips.push(flips.length % 2 === 0 ? -0.0002 : 0.0002)
  bot.stage.market('BTC', { funding: flips.at(-1) ?? 0 })
  const began = bot.clock.monotonic()
  const told = await bot.until(() => posts()[before], 'the flip is told')
  return told.at - began
}

describe('an alert arrives, once and in its place, when its post meets', () => {
  test.each<[what: string, fault: Omit<Fault, 'route'>]>([
    ['a 500', { kind: 'status' }],
    ['three 503 in a row', { kind: 'status', status: 503, times: 3 }],
    ["a page of Cloudflare's (502)", { kind: 'html' }],
    ['a broken connection', { kind: 'reset' }],
    ['half an answer', { kind: 'half-body' }],
    ['silence', { kind: 'hang' }],
    ['a slow answer', { kind: 'delay', ms: 4_000 }],
    ['a delivery, then a 500', { kind: 'deliver-then-500' }],
    ['a delivery, then a broken connection', { kind: 'deliver-then-reset' }],
    ['a delivery, then silence', { kind: 'deliver-then-hang' }],
    ['a 429 for the channel', { kind: 'status', status: 429, retryAfterMs: 300 }],
    ['a 429 for the whole bot', { kind: 'status', status: 429, retryAfterMs: 300, global: true }],
    ['a shared 429', { kind: 'status', status: 429, retryAfterMs: 300, scope: 'shared' }],
    ['five 429 that do not say how long', { kind: 'status', status: 429, headers: false, times: 5 }],
    ['a 401', { kind: 'status', status: 401 }],
    [
      'a 400, so that it goes out plain',
      { kind: 'status', status: 400, body: { code: 50_035, message: 'Invalid Form Body' } },
    ],
    ["a wall of Cloudflare's (403)", { kind: 'html', status: 403 }],
  ])('%s', async (what, fault) => {
    const { discord } = bot
    const before = posts().length
    discord.fault({ route: POST, ...fault })
    recovered.push([what, await flip()])
    // What was done, but for its answer, is done again under its nonce: that makes no second message.
    await bot.pass(60_000)
    expect(posts()).toHaveLength(before + 1)
    expect(posts().at(-1)?.content).not.toContain('possible repeat')
    expect(discord.ledger.requests().some(({ fault: met }) => met === fault.kind)).toBe(true)
  })

  test('and in the end everything was told in order', () => {
    const told = posts().map(({ content }) => (content.includes('shorts now pay') ? -0.0002 : 0.0002))
    expect(told).toEqual(flips)
  })
})

describe('an answer comes when', () => {
  test.each<[what: string, fault: Fault]>([
    ['the acknowledgement meets a 500', { route: CALLBACK, kind: 'status' }],
    ['the acknowledgement is taken, then answered with a 500', { route: CALLBACK, kind: 'deliver-then-500' }],
    ['the connection breaks after the acknowledgement', { route: CALLBACK, kind: 'deliver-then-reset' }],
    ['the answer meets a 500', { route: EDIT, kind: 'status' }],
    ['the answer is taken, then the connection breaks', { route: EDIT, kind: 'deliver-then-reset' }],
    ['the answer meets silence', { route: EDIT, kind: 'hang' }],
    ['the answer meets a 429', { route: EDIT, kind: 'status', status: 429, retryAfterMs: 5 }],
    [
      'the answer is refused for its form',
      { route: EDIT, kind: 'status', status: 400, body: { code: 50_035, message: 'Invalid Form Body' } },
    ],
  ])('%s', async (_what, fault) => {
    bot.discord.fault(fault)
    const asked = olga.runs('/markets', {}, alerts)
    expect(await bot.answered(asked)).toContain('BTC')
    expect(asked.followUps()).toEqual([])
    expect(asked.failure()).toBeNull()
  })

  test('not, when Discord has given the interaction up: nothing is done then', async () => {
    bot.discord.fault({
      route: CALLBACK,
      kind: 'status',
      status: 404,
      body: { code: 10_062, message: 'Unknown interaction' },
    })
    olga.runs('/alert funding-flip market:BTC band:1%', {}, alerts)
    expect(await asks('/alerts')).not.toContain('beyond 1%')
  })
})

test('docs/discord.md says how long each of them takes', async () => {
  const rows = recovered.map(([what, ms]) => [what, age(ms)])
  await writeTable('recovery', ['what a post meets', 'until its message is there'], rows)
})

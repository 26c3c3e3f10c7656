import { describe, expect, test } from 'vitest'

import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import { ageText } from '../../../src/lib/text/format.ts'
import { isOnJournal } from '../../support/database-url.ts'
import { ALICE, PERIODS, UNHURRIED } from '../../support/bot.ts'
import { CLAIM, startTelegramBot, type TelegramBot } from '../../support/telegram/bot.ts'
import { call } from '../../support/telegram/client.ts'
import { type Fault, FAULT_KINDS } from '../../support/telegram/faults.ts'
import type { User } from '../../support/telegram/people.ts'
import { documented } from './documented.ts'

type Trouble = Omit<Fault, 'method'> & { words: string }

/** Every kind that the stand-in has; what ends at once comes three times in a row. */
const WORDS: Record<(typeof FAULT_KINDS)[number], string> = {
  reset: 'the connection is reset',
  hang: 'no answer at all',
  'half-body': 'half an answer',
  'html-502': '502 from a proxy',
  'html-404': '404 from a proxy',
  'deliver-then-reset': 'done, then the connection is reset',
  'deliver-then-hang': 'done, then no answer',
  delay: 'the answer takes 8 s',
  json: 'Telegram answers 500',
}
const KINDS: Trouble[] = FAULT_KINDS.map((kind) => ({
  kind,
  words: WORDS[kind],
  times: kind.endsWith('hang') || kind === 'delay' ? 1 : 3,
  ...(kind === 'delay' ? { afterMs: 8_000 } : {}),
}))
const said = (status: number, description: string, more: Partial<Trouble> = {}): Trouble => ({
  kind: 'json',
  status,
  description,
  times: 3,
  words: `Telegram answers ${status}`,
  ...more,
})
const limited = said(429, 'Too Many Requests: retry after 5', {
  times: 1,
  parameters: { retry_after: 5 },
  words: 'Telegram says: wait 5 s',
})

const measured = new Map<string, Map<string, number>>()
function note(words: string, column: string, ms: number): void {
  const row = measured.get(words) ?? new Map<string, number>()
  measured.set(words, row.set(column, ms))
}

/** No story but those of warnings hangs on a price: each reading of one is a real request. */
const SELDOM = { marketPollMs: 15_000, walletPollMinMs: 30_000 }

async function claimed(periods: Partial<PollPeriods> = SELDOM): Promise<TelegramBot & { ann: User }> {
  const bot = await startTelegramBot({ periods })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(5_000)
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.pass(10_000)
  return Object.assign(bot, { ann })
}

const later = (bot: TelegramBot, since: number) =>
  bot.telegram.ledger.sends
    .slice(since)
    .flatMap(({ method, text, mono }) => (method === 'sendMessage' ? [{ text, mono }] : []))

describe('while updates are fetched', () => {
  const troubles = [
    ...KINDS,
    limited,
    said(401, 'Unauthorized'),
    said(404, 'Not Found'),
    said(409, 'Conflict: terminated by other getUpdates request'),
  ]
  test.each(troubles)('and $words, everything is answered once and in order', async ({ words, ...fault }) => {
    await using bot = await claimed()
    const { telegram, ann, clock } = bot
    telegram.fault({ method: 'getUpdates', ...fault })
    // What waits now is not met by it; the next polls are.
    await bot.says(ann, '/help watch')
    const [before, began] = [telegram.ledger.sends.length, clock.monotonic()]
    ann.says('/alert liq BTC 5%')
    ann.says('/wallets')
    await bot.pass(90_000)
    const answers = later(bot, before).filter(({ text }) => !/token/.test(text))
    expect(answers.map(({ text }) => text.split('\n')[0])).toEqual([
      expect.stringContaining('✓ I’ll alert you when'),
      '1 wallet',
    ])
    note(words, 'updates', (answers.at(-1)?.mono ?? Infinity) - began)
    expect((answers.at(-1)?.mono ?? Infinity) - began).toBeLessThan(40_000)
  })
})

describe('while a warning is sent', () => {
  test.each([...KINDS, limited])(
    'and $words, it arrives, and what follows it comes after',
    async ({ words, ...fault }) => {
      await using bot = await claimed(PERIODS)
      const { telegram } = bot
      const before = telegram.ledger.sends.length
      const attempts = telegram.calls('sendMessage')
      telegram.fault({ method: 'sendMessage', ...fault })
      bot.stage.market('BTC', { price: 99 })
      await bot.pass(18_000)
      bot.stage.market('BTC', { price: 94 })
      await bot.pass(58_000)
      bot.stage.market('BTC', { price: 140 })
      await bot.pass(60_000)
      const began = telegram.asked.filter(({ method }) => method === 'sendMessage')[attempts]?.mono ?? 0
      const told = later(bot, before)
      const copies = (what: string) => told.filter(({ text }) => text.includes(what))
      for (const what of [': 9.1%', ': 4.3%', 'is safe again']) {
        const unmarked = copies(what).filter(({ text }) => !text.startsWith('(possible repeat)'))
        expect(copies(what).length).toBeGreaterThan(0)
        expect(unmarked.length).toBeLessThanOrEqual(1)
      }
      const order = told.map(({ text }) =>
        [': 9.1%', ': 4.3%', 'is safe again'].findIndex((what) => text.includes(what)),
      )
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      note(words, 'warnings', (copies(': 9.1%').at(-1)?.mono ?? Infinity) - began)
    },
  )
})

describe('while an answer is sent', () => {
  test.each([...KINDS, limited])(
    'and $words, it arrives, and the next one after it',
    async ({ words, ...fault }) => {
      await using bot = await claimed()
      const { telegram, ann, clock } = bot
      const [before, began] = [telegram.ledger.sends.length, clock.monotonic()]
      telegram.fault({ method: 'sendMessage', ...fault })
      ann.says('/wallets')
      ann.says('/help watch')
      await bot.pass(120_000)
      const told = later(bot, before)
      const marked = told.filter(({ text }) => text.startsWith('(possible repeat)'))
      expect(told.length - marked.length).toBeLessThanOrEqual(2)
      const order = told.map(({ text }) => (text.includes('main') && !text.includes('/watch') ? 0 : 1))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(new Set(order)).toEqual(new Set([0, 1]))
      note(words, 'answers', (told.findLast((_one, at) => order[at] === 0)?.mono ?? Infinity) - began)
    },
  )

  test('and its markup is refused, it comes as plain text', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    const description = "Bad Request: can't parse entities: Unsupported start tag"
    telegram.fault({ method: 'sendMessage', kind: 'json', status: 400, description })
    expect(await bot.says(ann, '/wallets')).toEqual([expect.stringContaining('main')])
    expect(bot.trouble()).toEqual([expect.stringContaining('an answer was refused, and goes out plain')])
  })

  test('and a tap cannot be answered at first, its circle ends all the same', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    await bot.says(ann, '/positions')
    telegram.fault({ method: 'answerCallbackQuery', kind: 'html-502', times: 2 })
    const tap = ann.taps('Refresh')
    await bot.pass(10_000)
    expect(tap.answers).toHaveLength(1)
  })
})

describe('a start', () => {
  test.each(KINDS)('that meets this: $words', async ({ words: _words, ...fault }) => {
    await using bot = await startTelegramBot({
      periods: SELDOM,
      meets: [{ method: '*', ...fault, times: 4 }],
    })
    bot.stage.market('BTC', { price: 130 })
    const ann = bot.telegram.user('Ann')
    ann.says(`/start ${CLAIM}`)
    await bot.pass(150_000)
    expect(bot.telegram.ledger.texts(ann)).toEqual([expect.stringContaining('You are the operator')])
    const names = bot.telegram.menu('all_private_chats')?.map(({ command }) => command)
    expect(names).toContain('watch')
    expect(names).not.toContain('invite')
    expect(bot.telegram.world.texts.get('menu_button all')).toBe('commands')
  })
})

test('a token that was revoked is told where it can be read, and not here when it works again', async () => {
  await using bot = await claimed()
  const { telegram, ann } = bot
  telegram.fault({ method: '*', ...said(401, 'Unauthorized'), times: 20 })
  await bot.pass(120_000)
  telegram.calm()
  await bot.pass(120_000)
  expect(await bot.says(ann, '/wallets')).toEqual([expect.stringContaining('1 wallet')])
  expect(telegram.ledger.texts(ann).filter((text) => text.includes('does not know my token'))).toEqual([])
})

describe('another instance with the same token', () => {
  test('is outlasted, and the operator is told once', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    for (let again = 0; again < 6; again++) {
      void call(telegram, 'getUpdates', { timeout: 20 }).catch(() => {})
      await bot.pass(4_000)
    }
    await bot.pass(30_000)
    const told = telegram.ledger.texts(ann).filter((text) => text.includes('Another program takes messages'))
    expect(told).toHaveLength(1)
    expect(await bot.says(ann, '/wallets')).toEqual([expect.stringContaining('main')])
  })

  test('that used a webhook is undone', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    await call(telegram, 'setWebhook', { url: 'https://elsewhere.example/hook' })
    await bot.pass(10_000)
    expect(telegram.world.webhook).toBe('')
    expect(await bot.says(ann, '/wallets')).toEqual([expect.stringContaining('main')])
  })
})

test.skipIf(isOnJournal)(
  'a stop confirms what is done, and nothing is answered twice after a restart',
  async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    await bot.says(ann, '/wallets')
    const began = bot.clock.monotonic()
    await bot.restart()
    // Telegram would hold back the answer to the last poll for 3 s, and another Perch may be waiting to lead.
    expect(bot.clock.monotonic() - began).toBeLessThan(1_000)
    await bot.pass(30_000)
    expect(telegram.pending()).toEqual([])
    expect(telegram.ledger.texts(ann).filter((text) => text.startsWith('1 wallet'))).toHaveLength(1)
  },
)

test('three chats that are told to wait at once hold back the whole platform, one does not', async () => {
  await using bot = await startTelegramBot({ access: 'open' })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(2_000)
  const users = ['Ann', 'Ben', 'Cid', 'Dan'].map((name) => bot.telegram.user(name))
  for (const user of users) await bot.says(user, '/help')
  bot.telegram.fault({ method: 'sendMessage', ...limited, times: 3 })
  for (const user of users) user.says('/wallets')
  await bot.pass(20_000)
  for (const user of users) expect(bot.telegram.ledger.texts(user).at(-1)).toContain('don’t watch a wallet')
})

test('three chats that are told to wait for an hour keep nobody else waiting for long, and the operator is told', async () => {
  await using bot = await claimed()
  const { telegram, ann, clock } = bot
  const code = async () => /CODE-\S+/.exec((await bot.says(ann, '/invite'))[0] ?? '')?.[0]
  const users = ['Ben', 'Cid', 'Dan'].map((name) => telegram.user(name))
  for (const user of users) await bot.says(user, `/start ${await code()}`)
  await bot.pass(10_000)
  for (const { id } of users) {
    telegram.fault({ method: 'sendMessage', ...limited, parameters: { retry_after: 3_600 }, chat: id })
  }
  for (const user of users) user.says('/wallets')
  await bot.pass(2_000)
  const [before, began] = [telegram.ledger.sends.length, clock.monotonic()]
  ann.says('/wallets')
  await bot.pass(60_000)
  const heard = telegram.ledger.sends.slice(before).filter(({ chat }) => chat === ann.id)
  expect(heard[0]?.text).toContain('1 wallet')
  expect(heard[0]?.mono).toBeLessThanOrEqual(began + 30_000)
  expect(heard.some(({ text }) => text.startsWith('✅ Telegram takes my messages again'))).toBe(true)
})

test.each([1e17, 31_536_000])(
  'a chat that is told to wait %s s is written to again after five minutes, and stops no other',
  async (seconds) => {
    await using bot = await claimed(UNHURRIED)
    const { telegram, ann, stage, clock } = bot
    const fault = { method: 'sendMessage', ...limited, parameters: { retry_after: seconds } }
    telegram.fault({ ...fault, chat: ann.id })
    const before = telegram.ledger.sends.length
    const began = clock.monotonic()
    stage.market('BTC', { price: 94 })
    await bot.pass(2_000)
    const ben = telegram.user('Ben')
    expect(await bot.says(ben, 'hello')).toEqual([expect.stringContaining('This Perch is private')])
    await bot.pass(320_000)
    const critical = telegram.ledger.sends
      .slice(before)
      .find(({ text }) => text.includes('4.3% to liquidation'))
    expect(critical?.mono).toBeLessThan(began + 310_000)
    expect(bot.trouble()).toEqual([expect.stringContaining('Telegram asks me to wait')])
  },
)

test.skipIf(isOnJournal)('docs/telegram.md says how long each of them takes', async () => {
  const columns = ['updates', 'answers', 'warnings']
  const cell = (ms: number | undefined) => (ms === undefined ? '–' : ageText(ms))
  const rows = [...measured].map(
    ([words, row]) => `| ${words} | ${columns.map((column) => cell(row.get(column))).join(' | ')} |`,
  )
  const table = ['| what happens | updates | answers | warnings |', '|---|---|---|---|', ...rows].join('\n')
  expect((await documented('recovery', table)).trim()).toBe(table)
})

import { describe, expect, test } from 'vitest'

import { inWords, type Message, plainLines } from '../../../src/message/message.ts'
import type { View } from '../../../src/command/context.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import type { WalletReading } from '../../../src/venue/reading.ts'
import type { PositionsAnswer } from '../../../src/venue/venue.ts'
import { aDialog, anInbound, aView, home } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aPerson, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { answerWith, hedged, hedgedAccounts, VENUES, viewOfTwo } from '../../support/two-venues.ts'

const accounts = hedgedAccounts

/** What ALICE reads, who holds these positions in main. */
async function asks(
  line: string,
  held: readonly Position[] = hedged,
  over: Partial<PositionsAnswer> = {},
  view: Partial<View> = {},
): Promise<Message> {
  const { dialog, pictures } = aDialog({
    venues: VENUES,
    speaker: { person: aPerson({ operator: true, pictures: 'on' }) },
    view: { ...viewOfTwo(held), chatAt: () => home, ...view, watches: () => [aWatch({ label: 'main' })] },
    answers: () => answerWith(held, { accounts, ...over }),
  })
  const answer = await dialog.line(anInbound(), line)
  const [picture] = pictures
  return picture ? { ...answer, picture } : answer
}

/** The words alone, without buttons and ages. */
async function lines(...asked: Parameters<typeof asks>): Promise<string[]> {
  const answer = { ...(await asks(...asked)), buttons: [], footnote: null }
  return plainLines(answer, { now: NOON, zone: 'UTC' })
}

describe('/positions of a hedge over two venues', () => {
  test('is one list: a sum of all, and each venue with its own', async () => {
    expect(await lines('/positions')).toEqual([
      '3 positions · PnL +$80.00',
      '  you pay $0.49 a day · long $6,000, short $5,020',
      'hyperliquid: 2 positions · PnL +$100',
      'ETH long: 12.9% to liquidation',
      '  PnL $0.00 · pays $2.50 a day',
      'BTC long: 64.6% to liquidation',
      '  PnL +$100 · pays $0.50 a day',
      'lighter: 1 position · PnL -$20.00',
      'lighter:ETH short: 14.8% to liquidation',
      '  PnL -$20.00 · gets $2.51 a day',
      'Margin (liquidated at 100%)',
      '  main in hyperliquid: margin 8.6% · equity $700',
      '  main in lighter: margin 6.3% · equity $800',
      'All prices down 10.8%: main · hyperliquid is liquidated first',
    ])
  })

  test('has no headings where all is held at one', async () => {
    const text = (await lines('/positions', hedged.slice(0, 2))).join('\n')
    expect(text).not.toMatch(/^hyperliquid: /m)
    expect(text).toContain('All prices down 10.8%: main is liquidated')
  })

  test('of a coin shows both legs, and each has a button for itself', async () => {
    const asked = await asks('/positions ETH')
    const text = plainLines(asked, { now: NOON, zone: 'UTC' }).join('\n')
    expect(text).toContain('hyperliquid: 1 position')
    expect(text).toContain('lighter: 1 position')
    expect(asked.buttons.map(({ line }) => line).slice(0, 2)).toEqual([
      '/positions 0x52908400 hyperliquid:ETH',
      '/positions 0x52908400 lighter:ETH',
    ])
  })

  test.each([
    ['/positions hyperliquid:ETH', 'ETH long: 12.9% to liquidation', 'lighter'],
    ['/positions lighter:eth', 'lighter:ETH short: 14.8% to liquidation', 'ETH long'],
    ['/positions BTC', 'BTC long: 64.6% to liquidation', 'ETH'],
  ])('%s shows that one whole', async (line, title, other) => {
    const text = (await lines(line)).join('\n')
    expect(text).toContain(title)
    expect(text).toContain('entry $')
    expect(text).not.toContain(other)
  })

  test('says once whose orders nobody can see, where something is held there', async () => {
    const status = () => ({ ...aView({}, VENUES).status(), hidesOrders: ['lighter'] })
    const noted = async (held: readonly Position[]) =>
      (await asks('/positions', held, {}, { status })).footnote
    expect(inWords((await noted(hedged)) ?? '')).toContain('lighter shows nobody’s orders')
    expect(inWords((await noted(hedged.slice(0, 2))) ?? '')).not.toContain('orders')
  })

  test('on a second page still says whose the positions are', async () => {
    const many = Array.from({ length: 7 }, (_, at) =>
      aPosition({
        ...{ marketId: 'lighter/3', accountId: `lighter/${at + 1}`, margin: 'cross' as const },
        liquidationPrice: exact('0.1'),
      }),
    )
    const text = (await lines('/positions 2', [...hedged, ...many])).join('\n')
    expect(text).toContain('lighter: 8 positions')
    expect(text).toContain('10 positions')
  })
})

describe('/shock over two venues', () => {
  test('moves all prices alike, each account by its own sums', async () => {
    // hyperliquid: 640 - 6,000·m + 60·m = 0 at m = 10.774%, which is 97.9% of the way; its PnL is 100 - 6,000·m there.
    // lighter: gains 11% of 5,020, so that -20 becomes 532.20.
    expect(await lines('/shock all -11%')).toEqual([
      'all prices -11%: 1 of 2 accounts would be liquidated',
      '  PnL -$14.26 (now +$80.00)',
      '  liquidated positions counted at their liquidation price',
      'hyperliquid: PnL -$546 (now +$100)',
      'main · hyperliquid: liquidated 97.9% into this move',
      '  at ETH $2,230.64, BTC $89,226',
      'lighter: PnL +$532 (now -$20.00)',
      'lighter:ETH short · main survives',
    ])
  })

  test('moves a coin everywhere by its bare name', async () => {
    // hyperliquid: 640 - 5,000·m + 50·m lasts beyond 11%: up to 1.2 times. Its PnL is 100 - 550.
    const text = (await lines('/shock ETH -11%')).join('\n')
    expect(text).toContain('ETH -11%: nothing would be liquidated')
    expect(text).toContain('hyperliquid: PnL -$450 (now +$100)')
    expect(text).toContain('lighter: PnL +$532 (now -$20.00)')
  })

  test('moves it at one venue where that is named', async () => {
    // 749.80 - 5,020·m - 50.2·m = 0 at m = 14.788%, which is 73.9% of 20%.
    const short = (await lines('/shock lighter:ETH +20%')).join('\n')
    expect(short).toContain('lighter:ETH +20%: 1 of 2 accounts would be liquidated')
    expect(short).toContain('lighter:ETH short · main: liquidated 73.9% into this move')
    expect(short).toContain('at lighter:ETH $2,881')
    expect(short).toContain('1 account untouched')
    const long = (await lines('/shock hyperliquid:ETH -10%')).join('\n')
    expect(long).toContain('hyperliquid:ETH -10%: nothing would be liquidated')
    expect(long).toContain('1 account untouched')
  })

  test('takes a move that names its venue before one of the coin', async () => {
    const text = (await lines('/shock ETH -1% lighter:ETH +1%')).join('\n')
    expect(text).toContain('ETH -1%, lighter:ETH +1%')
    expect(text).toContain('hyperliquid: PnL +$50.00 (now +$100)')
    expect(text).toContain('lighter: PnL -$70.20 (now -$20.00)')
  })

  test('offers lines that mean the same', async () => {
    for (const line of ['/shock ETH -10%', '/shock hyperliquid:ETH -10%', '/shock lighter:ETH -10%'])
      expect((await asks(line)).buttons[0]).toMatchObject({ line })
  })

  test('draws the first to be liquidated first, whatever its venue', async () => {
    const { picture } = await asks('/shock lighter:ETH +20% BTC -1%')
    expect(picture).toMatchObject({
      is: 'ladder',
      accounts: [{ name: 'lighter:ETH short · main' }, { name: 'main · hyperliquid' }],
      liquidated: 1,
    })
  })
})

describe('what a venue does not show is named', () => {
  const lost = {
    failedParts: ['lighter', 'lighter/7'].map((part) => ({ part, why: 'it has not answered yet' })),
  }
  const looks = (lighterAt: number | null): Partial<View> => ({
    looks: () => [
      { at: NOON, mono: 0, whole: true },
      ...(lighterAt === null ? [] : [{ venue: 'lighter', at: lighterAt, mono: 0, whole: true }]),
    ],
    positionSeenAt: () => lighterAt,
  })

  test('with the time of its last look, and its positions as they were then', async () => {
    const remembered = hedged.filter(({ accountId }) => accountId === 'lighter/7').map(positionKey)
    const shown = accounts.filter(({ accountId }) => accountId !== 'lighter/7')
    const over = { ...lost, remembered, accounts: shown }
    const text = await lines('/positions', hedged, over, looks(NOON - 300_000))
    expect(text.slice(0, 2)).toEqual([
      '[BLIND] I can’t see everything now',
      '  lighter is not answering: as of 11:55 UTC',
    ])
    expect(text).toContain('hyperliquid: 2 positions · PnL +$100')
    expect(text).toContain('lighter: 1 position · PnL -$20.00')
    expect(text.join('\n')).toMatch(/lighter:ETH short: 14\.8% to liquidation\n {2}PnL/)
    expect(text).toContain('  main in hyperliquid: margin 8.6% · equity $700')
    expect(text.join('\n')).not.toContain('account lighter')
  })

  test('for a moment without alarm', async () => {
    const text = await lines('/positions', hedged, lost, looks(NOON - 20_000))
    expect(text[0]).toBe('lighter is not answering: as of 11:59 UTC')
  })

  test('also where it was never read, and then nothing is called empty', async () => {
    const text = (await lines('/positions', [], lost, looks(null))).join('\n')
    expect(text).toContain('lighter is not answering: not read yet')
    expect(text).not.toMatch(/no open position|nothing open/i)
  })

  test('in the first venue as well', async () => {
    const failedParts = [{ part: 'hyperliquid', why: 'HTTP 503' }]
    const text = await lines('/positions', hedged.slice(2), { failedParts }, looks(NOON - 1_000))
    expect(text[0]).toBe('hyperliquid is not answering: as of 12:00 UTC')
  })

  test('otherwise where our own limit was the reason', async () => {
    const failedParts = [{ part: 'lighter', why: 'no turn', queued: true as const }]
    const text = await lines('/positions', hedged.slice(0, 2), { failedParts }, looks(NOON - 20_000))
    expect(text[0]).toBe('lighter: as of 11:59 UTC, I may not ask it more often now')
  })

  test('and what would be liquidated there is not claimed to be safe', async () => {
    const remembered = hedged.filter(({ accountId }) => accountId === 'lighter/7').map(positionKey)
    const text = (await lines('/shock all -1%', hedged, { ...lost, remembered }, looks(NOON))).join('\n')
    expect(text).toContain('lighter:ETH short · main: I can’t tell whether it holds')
    expect(text).toContain('main · hyperliquid survives')
  })
})

describe('/watch', () => {
  const strange = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  test.each([
    ['both', hedged, 'Known on hyperliquid and lighter.'],
    ['the second alone', hedged.slice(2), 'Known on lighter.'],
  ])('says that it is known on %s', async (_where, held, said) => {
    const shown = accounts.filter(({ accountId }) => held.some((one) => one.accountId === accountId))
    expect(await lines(`/watch ${strange}`, held, { accounts: shown })).toContain(`  ${said}`)
  })

  test('hands each venue its own look', async () => {
    const { changes } = await watched(answerWith(hedged, { accounts }))
    expect(changes.map(({ venue, value }) => [venue, value.positions.length])).toEqual([
      [undefined, 2],
      ['lighter', 1],
    ])
    const failedParts = [{ part: 'lighter', why: 'HTTP 503' }]
    expect((await watched(answerWith(hedged.slice(0, 2), { failedParts }))).changes).toHaveLength(1)
  })

  async function watched(answer: PositionsAnswer) {
    const changes: WalletReading[] = []
    const { dialog } = aDialog({
      ...{ venues: VENUES, view: viewOfTwo(), answers: () => answer },
      change(change) {
        if (change.is === 'watch') changes.push(...change.shown)
        return Promise.resolve({ rules: [], refused: null, repeated: false })
      },
    })
    await dialog.line(anInbound(), `/watch ${strange}`)
    return { changes }
  }
})

describe('/status of two venues', () => {
  const view = {
    looks: () => [
      { at: NOON - 12_000, mono: 0, whole: true },
      { venue: 'lighter', at: NOON, mono: 0, whole: true },
    ],
    marketsAt: (venue?: string) =>
      venue === undefined ? { at: NOON, mono: 0 } : { at: NOON - 180_000, mono: 0 },
    oldestLookMs: (venue?: string) => (venue === undefined ? 12_000 : null),
    blind: () => ({
      own: [{ source: { is: 'markets' as const, venue: 'lighter' }, since: NOON - 180_000, why: 'HTTP 503' }],
      others: 0,
    }),
  }

  test('has a line for each, and says what it cannot see of which', async () => {
    const text = await lines('/status', hedged, {}, view)
    expect(text.slice(0, 4)).toEqual([
      '[BLIND] I can’t see everything',
      '  hyperliquid: prices live · wallets 12 s old',
      '  lighter: prices 3 min old · wallets live',
      '  prices on lighter since 11:57 UTC: HTTP 503',
    ])
  })

  test('leaves out wallets where the venue knows none', async () => {
    const looked = [
      { at: NOON, mono: 0, whole: true },
      { ...{ venue: 'lighter', at: NOON, mono: 0 }, whole: true, isUnknown: true as const },
    ]
    const text = await lines('/status', hedged, {}, { ...view, looks: () => looked })
    expect(text).toContain('  lighter: prices 3 min old')
  })

  test('says in full how each is read', async () => {
    const text = await lines('/status full', hedged, {}, view)
    expect(text).toContain('lighter: Polling the venue')
    expect(text).toContain('  prices 3 min old · wallets not all read yet')
    expect(text).toContain('  prices live · wallets 12 s old')
  })
})

describe('what is done about a position of one of two venues', () => {
  test('/fix of a coin begins with the leg nearest to liquidation, and leads to the other', async () => {
    const asked = await asks('/fix ETH')
    expect(plainLines(asked, { now: NOON, zone: 'UTC' }).join('\n')).toContain(
      'ETH long: 12.9% to liquidation',
    )
    expect(asked.buttons.map(({ line }) => line)).toEqual([
      '/fix 0x52908400 hyperliquid:ETH',
      '/fix 0x52908400 lighter:ETH',
    ])
  })

  test('/card of a coin asks which leg is meant', async () => {
    const asked = await asks('/card ETH')
    expect(asked.buttons.map(({ line }) => line)).toEqual([
      '/card 0x52908400 hyperliquid:ETH long',
      '/card 0x52908400 lighter:ETH short',
    ])
    expect((await asks('/card lighter:ETH')).picture).toMatchObject({
      is: 'public',
      symbol: 'lighter:ETH',
    })
  })
})

describe('an alert about orders, which lighter shows nobody', () => {
  const note = 'lighter shows nobody’s orders: this alert is silent there'

  test.each([
    ['/alert no-stop', true, true],
    ['/alert no-stop ETH', false, true],
    ['/alert no-stop lighter:ETH', true, false],
  ])('%s: says so %s, and what it sees now %s', async (line, isNoted, isSeen) => {
    const status = () => ({ ...aView({}, VENUES).status(), hidesOrders: ['lighter'] })
    const { dialog } = aDialog({
      ...{ venues: VENUES, view: { ...viewOfTwo(), chatAt: () => home, status } },
      change: (change) => {
        const rules = change.is === 'rule' ? [aRule({ ...change.draft, id: 7 })] : []
        return Promise.resolve({ rules, refused: null, repeated: false })
      },
    })
    const text = plainLines(await dialog.line(anInbound(), line), { now: NOON, zone: 'UTC' }).join('\n')
    expect(text).toContain('✓ I’ll alert you when')
    expect(text.includes(note)).toBe(isNoted)
    expect(text.includes('now: ')).toBe(isSeen)
  })
})

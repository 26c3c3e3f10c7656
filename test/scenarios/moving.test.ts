import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { aChat, anAlert, anExport } from '../support/an-export.ts'
import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'
import { paramsOf } from '../support/kinds.ts'
import { budget } from '../support/seed.ts'

const ann = { user: 'ann' }
const ben = { user: 'ben' }
const WHALE = '0xde709f2102306220921060314715629080e2fb77'

/** A Perch where anybody may come, with two markets. */
async function perch(settings: NonNullable<Parameters<typeof startBot>[0]>['settings'] = {}) {
  const bot = await startBot({ platforms: ['red'], settings: { access: 'open', ...settings } })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.market('ETH', { price: 200 })
  await bot.pass(2_000)
  return bot
}

async function fileOf(bot: BotUnderTest, who = ann): Promise<string> {
  const said = await bot.says('/export file', who)
  const json = said.split('\n').find((line) => line.startsWith('{"perch"'))
  if (json === undefined) throw new Error(said)
  return json
}

/** As a person does it: they paste the file, read the question, and tap. */
async function takes(bot: BotUnderTest, file: unknown, who = ben): Promise<string> {
  const asked = await bot.says(pasted(file), who)
  const [, line] = /\[(?:Take it over|Übernehmen): (.*?)\]/.exec(asked) ?? []
  if (line === undefined) throw new Error(asked)
  return bot.says(line, who)
}

const pasted = (file: unknown) => (typeof file === 'string' ? file : JSON.stringify(file))
const timeless = (file: string) => ({ ...(JSON.parse(file) as object), made: null })
const alertsIn = (file: string) => (JSON.parse(file) as { alerts: { kind: string }[] }).alerts

const LIVES = [
  '/settings zone asia/kolkata',
  '/settings numbers "1 234,5"',
  '/settings language de',
  '/settings detail full',
  '/preset calm',
  `/watch ${ALICE} main`,
  `/watch ${BOB} my 👩‍👩‍👧‍👦 hedge`,
  '/alert liq ETH 12.5% 7% for 5m',
  '/alert price BTC below 100.5',
  '/remove R3',
  `/follow ${WHALE} whale $10k`,
  '/quiet 23:00-07:00',
  '/digest 08:00',
  '/digest weekly Mon 09:00',
  '/mute ETH 2h',
]

describe('somebody moves to another Perch', () => {
  test('and has there what they had here, once, however often they send the file', async () => {
    await using old = await perch()
    for (const line of LIVES) await old.says(line, ann)
    const file = await fileOf(old)
    await using next = await perch()
    const asked = (await next.says(file, ben)).replace(/yes \w{8}/, 'yes …')
    expect(asked).toBe(
      [
        'Take over 3 wallets and 12 alerts?',
        '  Wallets: main, my 👩‍👩‍👧‍👦 hedge, whale (followed)',
        '  Alerts: 2 of your own, 10 of /watch',
        '  Also: times in Asia/Calcutta, how messages look, preset calm, quiet hours, digest, 1 mute',
        '  ⚠ Off, as in the file: position-opened of main',
        '[Take it over: /import yes …]',
      ].join('\n'),
    )
    // Nothing has changed yet.
    expect(await next.says('/wallets', ben)).not.toContain('main')
    expect(await takes(next, file)).toContain('✓ 3 Wallets und 12 Alarme übernommen')
    expect(timeless(await fileOf(next, ben))).toEqual(timeless(file))
    expect(await next.says(file, ben)).toContain('Nichts Neues in der Datei')
    expect(timeless(await fileOf(next, ben))).toEqual(timeless(file))
  })

  test('and is warned there from then on', async () => {
    await using next = await perch()
    next.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 90 }])
    await takes(next, anExport({ alerts: [anAlert()] }))
    await next.pass(4_000)
    next.hears('ben')
    next.stage.market('BTC', { price: 95 })
    await next.pass(4_000)
    expect(next.hears('ben').join('\n')).toContain('BTC long: 5.3% to liquidation')
  })

  test('also over a restart between the question and the answer, by sending the file again', async () => {
    await using next = await perch()
    const asked = await next.says(pasted(anExport()), ben)
    const [, line = ''] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
    await next.restart()
    expect(await next.says(line, ben)).toBe('I don’t have that file any more.\n  Send it again.')
    expect(await next.says('/wallets', ben)).not.toContain('main')
    expect(await takes(next, anExport())).toContain('✓ Took over 1 wallet')
  })

  test('all at once or not at all: a disk that fails in the middle leaves nothing behind', async () => {
    await using next = await perch()
    await next.says('/help', ben)
    const before = timeless(await fileOf(next, ben))
    const alerts = [
      anAlert(),
      ...['opened', 'closed'].map((what) => anAlert({ kind: `position-${what}`, params: {} })),
    ]
    const asked = await next.says(pasted(anExport({ alerts })), ben)
    const [, line = ''] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
    const sql = (words: string) => {
      const sqlite = new Database(next.database)
      sqlite.exec(words)
      sqlite.close()
    }
    const isSecond =
      "(SELECT count(*) FROM rules) > 0 BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
    sql(`CREATE TRIGGER full_rules BEFORE INSERT ON rules WHEN ${isSecond}`)
    expect(await next.says(line, ben)).not.toContain('✓')
    expect(timeless(await fileOf(next, ben))).toEqual(before)
    sql('DROP TRIGGER full_rules')
    await next.restart()
    expect(timeless(await fileOf(next, ben))).toEqual(before)
    expect(await takes(next, anExport({ alerts }))).toContain('✓ Took over 1 wallet and 3 alerts')
  })

  test('with whichever settings and alerts they have', async () => {
    const lines = [
      ...kinds.flatMap((kind) => {
        const scope = kind.whose === 'followed' ? null : kind.needs.includes('market') ? 'BTC ' : ''
        return scope === null || kind.on === 'account' || kind.on === 'venue'
          ? []
          : paramsOf(kind).map((params) => `/alert ${kind.name} ${scope}${kind.typed(params)}`)
      }),
      ...LIVES.filter((line) => !/language|^\/watch|remove/.test(line)),
      ...[
        '/mute main 1d',
        '/preset scalper',
        '/preset undo funding-flip',
        '/preset undo',
        '/remove R1',
        '/mute 2h',
        '/mute price 3h',
        '/settings pictures critical',
        '/settings theme light',
      ],
    ]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { maxLength: 25 }), async (said) => {
        await using old = await perch({ maxRules: 1_000 })
        await using next = await perch({ maxRules: 1_000 })
        await old.says(`/watch ${ALICE} main`, ann)
        for (const line of said) await old.says(line, ann)
        const file = await fileOf(old)
        await takes(next, file)
        expect(timeless(await fileOf(next, ben))).toEqual(timeless(file))
      }),
      { numRuns: budget(50, 5) },
    )
  })
})

describe('what a Perch lacks is said before anything is taken, and nothing stands in for it', () => {
  test.each([
    ['a kind', anAlert({ kind: 'moon' }), 'Left out: 1 alert that I don’t have here (moon)'],
    [
      'a venue',
      anAlert({ armed: false, market: { venue: 'lighter', symbol: 'BTC' } }),
      'Left out: 1 alert whose market I don’t see here (BTC (lighter))',
    ],
    [
      'a market',
      anAlert({ armed: false, market: { venue: 'stage', symbol: 'DOGE' } }),
      'Left out: 1 alert whose market I don’t see here (DOGE (stage))',
    ],
    ['a wallet', anAlert({ wallet: BOB }), 'Left out: 1 alert without a wallet here (liquidation-distance)'],
    ['TWAPs', anAlert({ kind: 'twap', params: {}, armed: false }), 'no venue here can show (twap)'],
    [
      'a parameter, for which a usual one would be nobody’s',
      anAlert({ kind: 'position-resized', params: { share: 0.1 }, armed: false }),
      'Left out: 1 alert that I can’t read (position-resized)',
    ],
    [
      'sense',
      anAlert({ params: { tiers: [-4] } }),
      'Left out: 1 alert that I can’t read (liquidation-distance)',
    ],
    [
      'a market that its kind needs',
      anAlert({
        kind: 'price',
        params: { way: 'below', level: { $bigint: '5' } },
        armed: false,
        wallet: null,
      }),
      'Left out: 1 alert that I can’t read (price)',
    ],
  ])('%s', async (_what, alert, said) => {
    await using next = await perch()
    const file = anExport({ alerts: [alert, anAlert()] })
    expect(await next.says(pasted(file), ben)).toContain(said)
    expect(await takes(next, file)).toContain(said)
    expect(alertsIn(await fileOf(next, ben)).map(({ kind }) => kind)).toEqual(['liquidation-distance'])
  })

  test('no wallet without a liquidation alert is silently armed, or silently left so', async () => {
    await using next = await perch()
    expect(await takes(next, anExport())).toContain('⚠ Off, as in the file: liquidation-distance of main')
    expect(alertsIn(await fileOf(next, ben))).toEqual([])
  })

  test('room for all of it: what is above a limit is named', async () => {
    await using next = await perch({ maxWallets: 1, maxFollowed: 0, maxRules: 1 })
    const wallets = [
      { wallet: ALICE, label: 'main', as: 'own' },
      { wallet: BOB, label: 'hedge', as: 'own' },
      { wallet: WHALE, label: 'whale', as: 'followed' },
    ]
    const alerts = [
      ...[0.1, 0.2, 0.3].map((tier, at) =>
        anAlert({
          ...{ armed: false, wallet: at === 0 ? null : ALICE, params: { tiers: [tier] } },
          market: at === 2 ? { venue: 'stage', symbol: 'ETH' } : null,
        }),
      ),
      // Armed ones are limited by the number of wallets alone.
      anAlert({ kind: 'position-opened', params: {} }),
    ]
    const said = await takes(next, anExport({ wallets, alerts }))
    expect(said).toContain('✓ Took over 1 wallet and 2 alerts')
    expect(said).toContain('Left out: 1 wallet above the limit (hedge)')
    expect(said).toContain('Left out: 1 followed wallet above the limit (whale)')
    expect(said).toContain('Left out: 2 alerts above the limit (liquidation-distance)')
  })

  test('many reasons are counted: the question keeps to nine lines', async () => {
    await using next = await perch({ maxRules: 1 })
    const alerts = [
      ...[anAlert({ kind: 'moon' }), anAlert({ kind: 'twap', params: {}, armed: false })],
      ...[anAlert({ params: {} }), anAlert({ wallet: BOB }), anAlert({ kind: 'sun' })],
      anAlert({ armed: false, market: { venue: 'lighter', symbol: 'BTC' } }),
    ]
    const said = await next.says(pasted(anExport({ alerts })), ben)
    expect(said.split('\n').length).toBeLessThanOrEqual(10)
    expect(said).toContain('Left out for other reasons: 2')
  })
})

describe('groups', () => {
  const place = { platform: 'red', chat: 'desk', thread: null, title: 'Desk' }
  const alerts = [
    anAlert(),
    anAlert({ kind: 'funding-flip', params: { band: 0.0003, warnFrom: 10 }, armed: false, chat: 1 }),
  ]
  const file = anExport({ chats: [aChat(), aChat({ place, quiet: { from: 0, to: 60 } })], alerts })

  test('that are not bound here send their alerts to the private chat, which is said', async () => {
    await using next = await perch()
    const said = '1 alert of Desk comes to this chat: it isn’t bound here'
    expect(await next.says(pasted(file), ben)).toContain(said)
    expect(await takes(next, file)).toContain(said)
    const chats = (JSON.parse(await fileOf(next, ben)) as { alerts: { chat: number }[] }).alerts
    expect(chats.map(({ chat }) => chat)).toEqual([0, 0])
  })

  test('that the same person has bound here get their alerts there', async () => {
    await using next = await perch()
    next.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['ben'] })
    await next.says('/channel bind', { ...ben, place: { chat: 'desk', mayConfigure: true, whisper: true } })
    expect(await takes(next, file)).not.toContain('Desk')
    expect(alertsIn(await fileOf(next, ben))).toMatchObject([{ chat: 0 }, { chat: 1 }])
  })

  test('of somebody else get nothing, whatever a file says', async () => {
    await using next = await perch()
    next.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['ann'] })
    await next.says('/channel bind', { ...ann, place: { chat: 'desk', mayConfigure: true, whisper: true } })
    expect(await takes(next, file)).toContain('1 alert of Desk comes to this chat')
    expect(alertsIn(await fileOf(next, ann))).toEqual([])
  })
})

test('every group that is not bound here is counted', async () => {
  await using next = await perch()
  const groups = ['Desk', 'Club', 'Mall', 'Den'].map((title) => ({
    ...{ platform: 'red', chat: title, thread: null, title },
  }))
  const chats = [aChat(), ...groups.map((place) => aChat({ place }))]
  const said = await next.says(
    pasted(
      anExport({
        ...{ chats, wallets: [] },
        alerts: groups.map((_, at) =>
          anAlert({
            ...{ kind: 'price', params: { way: 'below', level: { $bigint: `${at}9` } }, armed: false },
            ...{ wallet: null, market: { venue: 'stage', symbol: 'BTC' }, chat: at + 1 },
          }),
        ),
      }),
    ),
    ben,
  )
  expect(said).toContain('1 alert of Desk comes to this chat')
  expect(said).toContain('1 alert of Club comes to this chat')
  expect(said).toContain('2 alerts of 2 more groups as well')
})

test('a venue whose markets are not seen yet leaves nothing out: the file is to be sent again', async () => {
  await using next = await startBot({ platforms: ['red'], settings: { access: 'open' } })
  const alert = anAlert({ armed: false, market: { venue: 'stage', symbol: 'BTC' } })
  expect(await next.says(pasted(anExport({ alerts: [alert] })), ben)).toContain(
    'I can’t see any markets right now',
  )
})

describe('somebody who has settings here already', () => {
  test('keeps them: wallets, alerts, quiet hours and the preset stay', async () => {
    await using next = await perch()
    await next.says(`/watch ${ALICE} mine`, ben)
    await next.says('/alert liq mine 30%', ben)
    await next.says('/quiet 01:00-02:00', ben)
    const before = await fileOf(next, ben)
    const chats = [aChat({ quiet: { from: 60, to: 600 } })]
    const file = anExport({ chats, preset: { name: 'calm', except: [] }, alerts: [anAlert()] })
    const said = await takes(next, file)
    expect(said).toContain('Your preset here stays. In the file it is calm.')
    expect(said).toContain('Here already, and unchanged: 2')
    const { settings, ...rest } = JSON.parse(await fileOf(next, ben)) as Record<string, unknown>
    expect(settings).toMatchObject({ zone: 'Europe/Berlin' })
    expect(rest).toEqual({ ...(JSON.parse(before) as object), settings: undefined, made: expect.anything() })
  })

  test('keeps a wallet as their own that the file only follows', async () => {
    await using next = await perch()
    await next.says(`/watch ${ALICE} mine`, ben)
    const wallets = [{ wallet: ALICE, label: 'main', as: 'followed' }]
    expect(await next.says(pasted(anExport({ wallets })), ben)).toContain('Left as it is here: main')
  })

  test('gets no second wallet of the same name', async () => {
    await using next = await perch()
    await next.says(`/watch ${BOB} main`, ben)
    await takes(next, anExport())
    expect(await next.says('/wallets', ben)).toContain('0x5290…9EE7')
  })

  test('who changes something between the question and the answer gets what fits then', async () => {
    await using next = await perch({ maxWallets: 1 })
    const asked = await next.says(pasted(anExport()), ben)
    const [, line = ''] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
    await next.says(`/watch ${BOB} other`, ben)
    expect(await next.says(line, ben)).toContain('Left out: 1 wallet above the limit (main)')
    expect(await next.says('/wallets', ben)).not.toContain('main')
  })

  test('does not lose the question to somebody else’s file', async () => {
    await using next = await perch()
    const asked = await next.says(pasted(anExport()), ben)
    const [, line = ''] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
    await next.says(pasted(anExport({ wallets: [] })), ann)
    expect(await next.says(line, ann)).toContain('I don’t have that file any more')
    expect(await next.says(line, ben)).toContain('✓ Took over 1 wallet')
  })
})

describe('a hostile file does no harm', () => {
  const deep = `{"perch":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const settings = anExport()['settings'] as object
  test.each([
    ['ten megabytes', `{"perch":"export","x":"${'x'.repeat(10_000_000)}"}`, 'too large'],
    ['200,000 levels', deep, 'That isn’t an export of mine'],
    [
      'levels within',
      pasted(anExport()).replace('"wallets":[', `"wallets":[${'['.repeat(100_000)}`),
      'missing',
    ],
    ['a number for a list', pasted(anExport({ wallets: 7 })), 'damaged at wallets, so'],
    ['a field of its own', pasted(anExport({ personId: 1 })), 'damaged at perch'],
    ['an alert of another chat', pasted(anExport({ alerts: [anAlert({ chat: 4 })] })), 'damaged at alerts'],
    ['no private chat', pasted(anExport({ chats: [] })), 'damaged at chats'],
    [
      'half an address',
      pasted(anExport({ wallets: [{ wallet: '0x5', label: 'a', as: 'own' }] })),
      'wallets 1 wallet',
    ],
    [
      'an odd zone',
      pasted(anExport({ settings: { ...settings, numbers: 'many' } })),
      'damaged at settings numbers',
    ],
    ['the future', pasted(anExport({ version: 2 })), 'from a newer Perch than I am'],
    [
      'a prototype',
      pasted(anExport()).replace('"preset":', '"__proto__":{"operator":true},"preset":'),
      'damaged at perch',
    ],
    [
      'commands of an older export',
      '["/watch 0x52908400098527886E0F7030069857D2E4169EE7 \\"a\\""]',
      'Send them without brackets',
    ],
  ])('%s', async (_what, file, said) => {
    await using next = await perch()
    expect(await next.says(file, ben)).toContain(said)
    expect(await next.says('/wallets', ben)).not.toContain('0x5290')
    expect(({} as { operator?: boolean }).operator).toBeUndefined()
  })

  test('parameters named like a prototype change none', async () => {
    await using next = await perch()
    const alert = pasted(anAlert()).replace('"params":{', '"params":{"__proto__":{"x":1},')
    const file = pasted(anExport()).replace('"alerts":[', `"alerts":[${alert}`)
    await takes(next, file)
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('labels are one line, call nobody and hide nothing', async () => {
    await using next = await perch()
    const wallets = [{ wallet: ALICE, label: 'a\n\u202Eb "c" '.padEnd(200, 'x'), as: 'own' }]
    await takes(next, anExport({ wallets }))
    const { wallets: kept } = JSON.parse(await fileOf(next, ben)) as { wallets: { label: string }[] }
    expect(kept[0]?.label).toMatch(/^a b c x+$/)
    expect([...(kept[0]?.label ?? '')].length).toBeLessThanOrEqual(24)
  })

  test('no mute lasts longer than one that is typed', async () => {
    await using next = await perch()
    const mutes = [{ of: { is: 'all' }, until: '9999-01-01T00:00:00.000Z' }]
    await takes(next, anExport({ chats: [aChat({ mutes })] }))
    const { chats } = JSON.parse(await fileOf(next, ben)) as { chats: { mutes: { until: string }[] }[] }
    expect(Date.parse(chats[0]?.mutes[0]?.until ?? '') - next.clock.now()).toBeLessThanOrEqual(7 * 86_400_000)
  })

  test('alerts that say they were armed do not pass the limit of those that people set', async () => {
    await using next = await perch({ maxRules: 3 })
    const alerts = Array.from({ length: 40 }, (_, at) =>
      anAlert({
        ...{ kind: 'price', params: { way: 'below', level: { $bigint: String(at + 1) } } },
        ...{ wallet: null, market: { venue: 'stage', symbol: 'BTC' } },
      }),
    )
    await takes(next, anExport({ alerts }))
    expect(alertsIn(await fileOf(next, ben))).toEqual([])
  })

  test('an alert of /watch comes once for each wallet, however many the file has', async () => {
    await using next = await perch()
    const alerts = [0.1, 0.2, 0.3].map((tier) => anAlert({ params: { tiers: [tier] } }))
    await takes(next, anExport({ alerts }))
    expect(alertsIn(await fileOf(next, ben))).toMatchObject([{ params: { tiers: [0.1] } }])
  })

  test('names in it are cut to the length of a label', async () => {
    await using next = await perch()
    const said = await next.says(
      pasted(anExport({ alerts: [anAlert({ kind: '@everyone '.repeat(7) })] })),
      ben,
    )
    expect(said).toMatch(/don’t have here \((?:@everyone ){2}@eve\)/)
  })

  test('of a stranger is refused as anything else of theirs', async () => {
    await using next = await perch({ access: 'claim' })
    expect(await next.says(pasted(anExport()), ben)).toContain('This Perch is private')
  })

  test('in a group is taken from nobody: they talk to each other', async () => {
    await using next = await perch()
    await next.says('/help', ben)
    const there = { ...ben, place: { chat: 'mall', mayConfigure: false } }
    expect(await next.says(pasted(anExport()), there)).not.toContain('Take over')
  })
})

test('JSON that is no export, and words, are what they were', async () => {
  await using next = await perch()
  await next.says('/help', ben)
  expect(await next.says('{"a": 1}', ben)).not.toMatch(/export/i)
  expect(await next.says('/import', ben)).toContain('Send me the file of /export file')
  expect(await next.says('/import nonsense', ben)).not.toContain('✓')
  expect(await next.says('/import yes deadbeef', ben)).toContain('I don’t have that file any more')
  expect(await next.says('/import yes', ben)).toContain('I don’t have that file any more')
})

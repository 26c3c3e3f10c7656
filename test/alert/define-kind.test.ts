import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { sameRule } from '../../src/alert/alert.ts'
import { eventKind, levelKind } from '../../src/alert/define-kind.ts'
import { argument } from '../../src/chat/argument.ts'
import { alertCommand } from '../../src/commands/alerts/alert.ts'
import { parseArguments } from '../../src/dialog/parse/arguments.ts'
import { misread } from '../../src/dialog/parse/replies.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import { item } from '../../src/message/message.ts'
import { toNumber } from '../../src/venue/amount.ts'
import { inEnglish, vocabulary } from '../dialog/world.ts'
import { NOON } from '../support/clock.ts'
import { aMarket, aPosition, aRule, exact, rateOf, seenAt } from '../support/fixtures.ts'

const words = { summary: 'something is so', example: 'above BTC 70000' }
const level = z.object({ level: argument.price() })
const typed = () => ''
const verdict = { enter: 0, stay: 0, value: 0 }
const tell = () => item('info', 'so')

/** As small as a kind can be: one parameter, one tier. */
const above = levelKind({
  ...words,
  name: 'above',
  on: 'market',
  needs: ['market'],
  params: level,
  identity: 'each',
  describe: (params) => `at ${toNumber(params.level)}`,
  typed,
  severity: 'warning',
  judge: (params, { price }) => ({ ...verdict, enter: price >= toNumber(params.level) ? 1 : 0 }),
  tell: (_params, _change, { market }) => item('warning', market.symbol),
})

/** Without parameters there is nothing to say of them. */
const traded = eventKind({
  ...words,
  name: 'traded',
  on: 'market',
  params: z.object({}),
  detect: (_params, state: number | undefined, { price }) => ({
    state: price,
    occurrences:
      state === undefined ? [] : [{ what: 'traded', value: price, position: null, detail: { state } }],
  }),
  severity: (_params, { detail }) => (detail.state > 1 ? 'warning' : 'info'),
  tell: (_params, { detail }, { market }) => item('info', `${market.symbol} from ${detail.state.toFixed(1)}`),
})

const at = (figure: string) => ({ level: exact(figure) })
const market = (price: number) => rateOf('0', [], { price, market: aMarket({ symbol: 'BTC' }) })

describe('what a kind leaves out', () => {
  test('is nothing, and no rule of it is like another', () => {
    expect(above).toMatchObject({ is: 'level', aliases: [], armedByWatch: null, needs: ['market'] })
    expect(traded).toMatchObject({ is: 'event', aliases: [], armedByWatch: null, needs: [] })
    expect(above.identity(at('1'))).not.toBe(above.identity(at('2')))
    expect(above.merge([at('1'), at('1')])).toEqual(at('1'))
    expect([traded.describe({}), traded.typed({}), traded.identity({}), traded.merge([{}, {}])]).toEqual([
      '',
      '',
      '',
      {},
    ])
  })

  test('is one tier, as loud as the kind, called as the rule is', () => {
    if (above.is !== 'level') throw new Error('a level')
    expect([
      above.severity(at('1'), 1),
      above.tier(at('7'), 1),
      above.tierUnder(at('1'), 1, at('2')),
    ]).toEqual(['warning', 'at 7', 1])
  })
})

describe('a subject of another sort', () => {
  const position = seenAt(2500, aPosition())
  test('is refused, loudly', () => {
    expect(() => above.judge(at('1'), position)).toThrow('above judges markets, no position')
    expect(() =>
      above.tell(
        at('1'),
        { reason: 'fired', from: 0, to: 1, value: 1, at: NOON, alertId: 1, reminders: 0 },
        position,
      ),
    ).toThrow('above judges markets')
    expect(() => traded.detect({}, undefined, position)).toThrow('traded judges markets, no position')
  })

  test('and the right one is judged', () => {
    expect(above.judge(at('70000'), market(70_000))).toMatchObject({ enter: 1 })
    const { state } = traded.detect({}, undefined, market(1))
    expect(traded.detect({}, state, market(2)).occurrences).toEqual([
      { what: 'traded', value: 2, position: null, detail: { state: 1 } },
    ])
  })
})

describe('the types follow from the declaration, and refuse', () => {
  const minimal = { ...words, name: 'x', params: level, identity: 'each', typed, severity: 'info' } as const
  const kind = { ...minimal, on: 'market', describe: () => '' } as const
  const judge = () => verdict

  test('a parameter that there is not', () => {
    // @ts-expect-error: the parameter is called level
    levelKind({ ...kind, judge, tell, describe: ({ price }) => String(price) })
    // @ts-expect-error: so it is where it is judged
    levelKind({ ...kind, tell, judge: ({ price }) => ({ ...verdict, value: Number(price) }) })
    // @ts-expect-error: a price is exact
    levelKind({ ...kind, tell, judge: (params) => ({ ...verdict, value: params.level }) })
    // @ts-expect-error: so it is where it is armed
    levelKind({ ...kind, judge, tell, armedByWatch: { level: 5 } })
  })

  test('a field that the subject has not', () => {
    // @ts-expect-error: a market has several positions
    levelKind({ ...kind, tell, judge: (_params, { position }) => ({ ...verdict, value: Number(position) }) })
    // @ts-expect-error: and no wallet of its own
    levelKind({ ...kind, judge, tell: (_params, _change, { label }) => item('info', String(label)) })
    levelKind({
      ...kind,
      on: 'position',
      judge,
      tell: (_params, _change, { label }) => item('info', label),
    })
  })

  test('a state or an occurrence that is another', () => {
    const event = { ...words, name: 'x', on: 'wallet', params: z.object({}), severity: 'info' } as const
    const occurrences = [{ what: '', value: 0, position: null, detail: 'text' }]
    const detect = (_params: object, state: number | undefined) => ({ state: state ?? 0, occurrences })
    eventKind({ ...event, detect, tell: (_params, { detail }) => item('info', detail) })
    // @ts-expect-error: the detail is text
    eventKind({ ...event, detect, tell: (_params, { detail }) => item('info', String(detail.position)) })
    eventKind({
      ...event,
      tell,
      // @ts-expect-error: the state was a number
      detect: (_params, _memo: number | undefined) => ({ state: '', occurrences }),
    })
  })

  test('what would lose protection by being left out', () => {
    const { identity: _each, ...merging } = kind
    levelKind({ ...merging, judge, tell, merge: ([first]) => first })
    // @ts-expect-error: how two levels go together is to be said
    levelKind({ ...merging, judge, tell })
    // @ts-expect-error: an identity alone does not say it
    levelKind({ ...merging, judge, tell, identity: () => '' })
    const { severity: _one, ...tiered } = kind
    levelKind({
      ...tiered,
      judge,
      tell,
      severity: () => 'info',
      tier: typed,
      tierUnder: (_before, tier) => tier,
    })
    // @ts-expect-error: which tier it stands at when its lines change is to be said
    levelKind({ ...tiered, judge, tell, severity: () => 'info', tier: typed })
  })

  test('words of parameters that there are none of, and a scope that is none', () => {
    const bare = { ...words, name: 'x', on: 'market', params: z.object({}), severity: 'info' } as const
    levelKind({ ...bare, judge, tell })
    // @ts-expect-error: there is nothing to type
    levelKind({ ...bare, judge, tell, typed })
    // @ts-expect-error: a market or a wallet
    levelKind({ ...kind, judge, tell, needs: ['position'] })
  })
})

describe('rules of such a kind', () => {
  const rule = aRule({ kind: 'above', params: at('70000'), market: { id: '200', symbol: 'BTC' } })

  test('stand side by side at two prices, and one changes itself alone', () => {
    expect(sameRule([above], rule, { ...rule, params: at('80000') })).toBe(false)
    expect(sameRule([above], rule, { ...rule, params: fromJson(toJson(at('70000'))) })).toBe(true)
    expect(sameRule([above], rule, { ...rule, market: { id: '100', symbol: 'ETH' } })).toBe(false)
    expect(sameRule([above], rule, { ...rule, chatId: 2 })).toBe(false)
  })

  const [form] = alertCommand([above, traded]).forms
  if (!form) throw new Error('no form')
  const read = (line: string) => inEnglish(parseArguments(form, line.split(' '), vocabulary()))

  test('are set by typing a market and a price, in any order', () => {
    for (const line of ['BTC 70000', '$70k btc', '70,000 BTC', 'BTC 70k$']) {
      expect(read(line)).toEqual({ ok: true, args: { market: '200', level: exact('70000') } })
    }
  })

  test('need their market: it is asked for, with the likely ones as buttons', () => {
    const parsed = read('70000')
    if (parsed.ok) throw new Error('it was understood')
    expect(parsed).toMatchObject({ why: 'A market, e.g. BTC?', missing: { name: 'market' } })
    const { buttons } = misread(parsed, form, '/alert above', vocabulary())
    expect(buttons.slice(0, 2).map(({ line }) => line)).toEqual([
      '/alert above 70000 ETH',
      '/alert above 70000 Sol',
    ])
  })

  test('need their price', () => {
    expect(read('BTC')).toMatchObject({ why: 'A price, e.g. 70000 or $70k?' })
    expect(read('BTC 5%')).toMatchObject({ why: 'I don’t understand “5%” here.' })
    expect(read('BTC 0')).toMatchObject({ why: 'A price is more than zero. Say for example 70000 or $70k.' })
  })
})

test('what a kind checks of several parameters together is checked where they are typed', () => {
  const params = z
    .object({ from: argument.price(), to: argument.price() })
    .refine(({ from, to }) => from < to, 'The first price must be the lower one.')
  const between = levelKind({
    ...words,
    name: 'between',
    on: 'market',
    params,
    identity: 'each',
    describe: () => '',
    typed,
    severity: 'info',
    judge: () => verdict,
    tell,
  })
  const [form] = alertCommand([between]).forms
  if (!form) throw new Error('no form')
  const read = (line: string) => inEnglish(parseArguments(form, line.split(' '), vocabulary()))
  expect(read('ETH 2 1')).toMatchObject({ ok: false, why: 'The first price must be the lower one.' })
  expect(read('ETH 1 2')).toMatchObject({ ok: true, args: { from: exact('1'), to: exact('2') } })
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { findKind, type Kind, type Rule } from '../../../src/alert/alert.ts'
import { levelKind } from '../../../src/alert/define-kind.ts'
import { kinds as real } from '../../../src/alerts/index.ts'
import { argument } from '../../../src/chat/argument.ts'
import { protectionLines } from '../../../src/commands/shared/protection.ts'
import { threshold } from '../../../src/message/figure.ts'
import { item, plainText, text } from '../../../src/message/message.ts'
import { aView, home } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aPerson, aRule } from '../../support/fixtures.ts'

const above = levelKind({
  name: 'above',
  summary: 'the rate is above a line',
  example: 'above 5%',
  on: 'market',
  needs: ['market'],
  params: z.object({ line: argument.percent() }),
  describe: ({ line }) => text`above ${threshold(line)}`,
  typed: () => '',
  identity: 'each',
  severity: 'info',
  judge: () => 'unknown',
  tell: () => item('info', 'told'),
})
const kinds: readonly Kind[] = [...real, above]

/** What is told now by these rules, in a view that merges as the engine does. */
function lines(kindName: string, given: readonly Partial<Rule>[], about: Rule['market'] = null): string[] {
  const kind = findKind(kinds, kindName)
  if (!kind) throw new Error(kindName)
  const rules = given.map((rule, at) =>
    aRule({ ...rule, id: at + 1, kind: kindName, identity: kind.identity(rule.params) }),
  )
  const view = aView({
    rulesIn: () => rules,
    monitor({ identity, subject }) {
      const marketId = 'marketId' in subject ? subject.marketId : ''
      const covering = rules.filter(
        (rule) => rule.identity === identity && (rule.market === null || rule.market.id === marketId),
      )
      const [first, ...others] = covering.map(({ params }) => params)
      return covering.length === 0
        ? null
        : { params: kind.merge([first, ...others]), ruleIds: covering.map(({ id }) => id) }
    },
  })
  const context = { view, person: aPerson(), chat: home, kinds }
  const scope = { wallet: null, market: about }
  return protectionLines(context, kindName, scope).map((line) => plainText(line, { now: NOON, zone: 'UTC' }))
}

const ETH = { id: '100', symbol: 'ETH' }
const BTC = { id: '200', symbol: 'BTC' }

describe('what is told in the end is one line for each wallet and what it is of', () => {
  test('all thresholds together, with how loud each is', () => {
    const [first, second] = lines('liquidation-distance', [
      { wallet: null, market: null, params: { tiers: [0.2, 0.1, 0.05, 0.025] } },
      { wallet: null, market: ETH, params: { tiers: [0.3] } },
    ])
    expect(first).toBe('Alerts on ETH in main: 30%, 20% (info) · 10% (warning) · 5%, 2.5% (critical)')
    expect(second).toBe('other markets in main: 20% (info) · 10% (warning) · 5%, 2.5% (critical)')
  })

  test('levels that stand side by side too', () =>
    expect(
      lines('above', [
        { wallet: null, market: ETH, params: { line: 0.1 } },
        { wallet: null, market: BTC, params: { line: 0.2 } },
        { wallet: null, market: ETH, params: { line: 0.05 } },
      ]),
    ).toEqual(['Alerts on ETH: above 10%, above 5%', 'BTC: above 20%']))

  test('what nobody has asked for is no gap in a protection', () => {
    expect(lines('above', [])).toEqual(['Alerts on markets: none of this kind'])
    expect(lines('liquidation-distance', [])).toEqual([
      'Alerts on main: none of this kind',
      'my hedge: none of this kind',
    ])
  })

  test('and of a level that was just set or taken away only its market is spoken of, however many others have some', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({
      wallet: null,
      market: { id: `9${at}`, symbol: `M${at}` },
      params: { line: 0.2 + at / 100 },
    }))
    const eth = { wallet: null, market: ETH, params: { line: 0.1 } }
    expect(lines('above', [...many, eth], ETH)).toEqual(['Alerts on ETH: above 10%'])
    expect(lines('above', many, ETH)).toEqual(['Alerts on ETH: none of this kind'])
  })

  test('and what a rule is about stands first where all markets are protected', () => {
    const tiers = { tiers: [0.2, 0.1] }
    const rules = [
      { wallet: null, market: null, params: tiers },
      { wallet: null, market: ETH, params: { tiers: [0.3] } },
      { wallet: null, market: BTC, params: { tiers: [0.4] } },
    ]
    expect(lines('liquidation-distance', rules, BTC).slice(0, 2)).toEqual([
      'Alerts on BTC in main: 40%, 20% (info) · 10% (warning)',
      'BTC in my hedge: 40%, 20% (info) · 10% (warning)',
    ])
  })
})

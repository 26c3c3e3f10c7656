import { describe, expect, test } from 'vitest'

import { createListedMarkets } from '../../../src/engine/memory/markets.ts'

const MINUTE_MS = 60_000
const list = (...ids: string[]) => ({ dex: null, symbols: new Map(ids.map((id) => [id, `S${id}`])) })

/** Lists at their minutes; what is known after each of them that has changed it. */
function after(...lists: [minute: number, ids: string[]][]): string[] {
  const listedMarkets = createListedMarkets()
  return lists.flatMap(([minute, ids]) => {
    const isChanged = listedMarkets.isChangedBy(list(...ids), minute * MINUTE_MS)
    listedMarkets.take(list(...ids), minute * MINUTE_MS)
    if (!isChanged) return []
    const { symbols, sureOf } = listedMarkets.dexes().get('') ?? { symbols: new Map(), sureOf: '' }
    return [`${minute}: ${[...symbols.keys()].join('')} ${sureOf}`]
  })
}

describe('what a venue lists', () => {
  test.each<[string, [number, string[]][], string[]]>([
    ['is known at the first list', [[0, ['a', 'b']]], ['0: ab nothing']],
    [
      'has what is new at once',
      [
        [0, ['a']],
        [0.1, ['a', 'b']],
      ],
      ['0: a nothing', '0.1: ab nothing'],
    ],
    [
      'has what is missing until it was missing for a minute',
      [
        [0, ['a', 'b', 'c']],
        [5, ['a', 'b', 'c']],
        [6, ['a', 'b']],
        [6.9, ['a', 'b']],
        [7, ['a', 'b']],
      ],
      ['0: abc nothing', '5: abc some', '7: ab some'],
    ],
    [
      'has what is missing in one list alone, however late the next one is',
      [
        [0, ['a', 'b', 'c']],
        [9, ['a', 'b']],
        [30, ['a', 'b', 'c']],
        [31, ['a', 'b']],
      ],
      ['0: abc nothing', '9: abc some', '30: abc all'],
    ],
    [
      'keeps what comes and goes',
      [
        [0, ['a', 'b', 'c']],
        [1, ['a', 'b']],
        [1.5, ['a', 'b', 'c']],
        [2, ['a', 'b']],
        [2.9, ['a', 'b']],
      ],
      ['0: abc nothing', '1: abc some'],
    ],
    [
      'loses most of it only after ten minutes',
      [
        [0, ['a', 'b', 'c', 'd']],
        [1, ['a']],
        [10, ['a']],
        [10.9, ['a']],
        [11, ['a']],
      ],
      ['0: abcd nothing', '1: abcd some', '10: abcd all', '11: a all'],
    ],
    [
      'is not nothing',
      [
        [0, ['a']],
        [1, []],
        [20, []],
      ],
      ['0: a nothing'],
    ],
    [
      'does not go back',
      [
        [5, ['a']],
        [4, ['b']],
      ],
      ['5: a nothing'],
    ],
  ])('%s', (_what, lists, known) => expect(after(...lists)).toEqual(known))

  test('is known of each book by itself', () => {
    const listedMarkets = createListedMarkets()
    listedMarkets.take(list('a'), 0)
    listedMarkets.take({ ...list('x:b'), dex: 'x' }, 90_000)
    expect([...listedMarkets.dexes()].map(([dex, { sureOf }]) => `${dex}:${sureOf}`)).toEqual([
      ':nothing',
      'x:nothing',
    ])
  })
})

import { expect, test } from 'vitest'

import { dress } from '../src/dress.ts'
import { item, message, say } from '../src/message.ts'

const german = { numbers: '1.234,5', simulated: false } as const

test('figures in titles, lines, tables and small print are in the reader’s style; code, buttons and times are not', () => {
  const button = { label: '2.5%', line: '/alert liq 2.5%', replace: false }
  const plain = message(
    [
      item(
        'plain',
        'BTC $97,678.5',
        ['4.8 %', ['price ', { strong: '1,234.5' }, { code: '/x 1,234.5' }, { time: 1_500, as: 'ago' }]],
        [button],
      ),
    ],
    {
      table: { columns: [{ title: '1.5', align: 'left' }], rows: [['2.5']] },
      buttons: [button],
      footnote: 'read 1.5 s ago',
    },
  )
  expect(dress(plain, german)).toEqual(
    message(
      [
        item(
          'plain',
          'BTC $97.678,5',
          ['4,8 %', ['price ', { strong: '1.234,5' }, { code: '/x 1,234.5' }, { time: 1_500, as: 'ago' }]],
          [button],
        ),
      ],
      {
        table: { columns: [{ title: '1.5', align: 'left' }], rows: [['2,5']] },
        buttons: [button],
        footnote: 'read 1,5 s ago',
      },
    ),
  )
})

test('nobody mistakes play for earnest', () => {
  const mark = 'SIMULATED: play money, no real position'
  const simulated = { numbers: '1,234.5', simulated: true } as const
  expect(dress(say('a'), simulated).footnote).toBe(mark)
  expect(dress(message([], { footnote: 'b' }), simulated).footnote).toEqual([`${mark} · `, 'b'])
  expect(dress(message([], { footnote: ['b', { strong: 'c' }] }), simulated).footnote).toEqual([
    `${mark} · `,
    'b',
    { strong: 'c' },
  ])
  expect(dress(say('a'), { numbers: '1,234.5', simulated: false })).toEqual(say('a'))
})

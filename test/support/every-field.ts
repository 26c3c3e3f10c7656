import type { Button, Item, Message, Table } from '../../src/message/message.ts'

/** A message with all its fields, and in each of its parts one field that no code knows. */
export function withEveryField(): Required<Message> {
  const unknown = { unknownToday: 'kept' }
  const button: Button = { label: 'Snooze 1h', line: '/snooze A41 1h', replace: true, ...unknown }
  const item: Required<Item> = {
    tone: 'plain',
    title: 'BTC is near its liquidation price',
    lines: ['12.4% away'],
    buttons: [button],
    again: true,
    alertId: 41,
    more: 2,
    figures: ['0.5 BTC'],
    note: 'acknowledged by Ann',
    ways: ['Add $50 margin'],
    details: ['read just now'],
    ...unknown,
  }
  const table: Table = { columns: [{ title: 'market', align: 'left' }], rows: [['BTC']], ...unknown }
  return {
    items: [item],
    table,
    buttons: [button],
    footnote: 'read just now',
    zone: 'Europe/Berlin',
    language: 'de',
    file: { name: 'history.csv', text: 'a,b', ...unknown },
    picture: {
      ...{ is: 'market', market: 'm1', symbol: 'BTC', since: 0, until: 3_600_000, price: 97_678 },
      ...{ priceName: 'index', ratePerDay: 0.0003, words: 'BTC over one hour', ...unknown },
    },
    question: { start: '/alert price ETH below', prompt: 'price', placeholder: '2300', ...unknown },
    ...unknown,
  }
}

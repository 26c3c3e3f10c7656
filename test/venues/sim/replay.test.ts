import { describe, expect, test } from 'vitest'
import { barAt, parseReplay } from '../../../src/venues/sim/replay.ts'

const NEW_YEAR = 1_735_689_600

describe('a recording of prices', () => {
  test.each([
    ['with unix seconds', `timestamp,close\n${NEW_YEAR},100\n${NEW_YEAR + 60},101`],
    ['with unix milliseconds', `time,close\n${NEW_YEAR}000,100\n${NEW_YEAR + 60}000,101`],
    ['with ISO times', 'date,close\n2025-01-01T00:00:00Z,100\n2025-01-01T01:01:00+01:00,101'],
    ['with times without an offset, as UTC', 'datetime,close\n2025-01-01 00:00:00,100\n2025-01-01 00:01,101'],
    [
      'with its columns in another order',
      `volume,Close,high,Time\n5,100,7,${NEW_YEAR}\n5,101,7,${NEW_YEAR + 60}`,
    ],
    ['with its rows in another order', `timestamp,close\n${NEW_YEAR + 60},101\n${NEW_YEAR},100`],
    [
      'with quotes, a byte order mark and Windows lines',
      `\uFEFF"timestamp","close"\r\n"${NEW_YEAR}","100"\r\n\r\n${NEW_YEAR + 60},101\r\n`,
    ],
    [
      'with a time of closing beside the time',
      `close_time,open_time,close\n9,${NEW_YEAR},100\n9,${NEW_YEAR + 60},101`,
    ],
    [
      'with a longer name of the time',
      'time_local_london,close\n2025-01-01 00:00:00,100\n2025-01-01 00:01:00,101',
    ],
  ])('is read %s', (_, text) => {
    const { times, closes } = parseReplay(text, undefined)
    expect(times).toEqual([NEW_YEAR, NEW_YEAR + 60])
    expect(closes).toEqual([100, 101])
  })

  const two = 'time,symbol,close\n1,ETHUSDT,5\n1,BTCUSDT,50\n2,ETHUSDT,6\n2,BTCUSDT,60'
  test.each([
    ['is of BTC when nothing says otherwise', 'time,close\n1,5\n2,6', undefined, 'BTC', [5, 6]],
    ['is of the symbol that the setting names', 'time,close\n1,5\n2,6', 'sol', 'SOL', [5, 6]],
    ['is of its first symbol', two, undefined, 'ETH', [5, 6]],
    ['is of the wanted one of its symbols', two, 'BTC', 'BTC', [50, 60]],
    ['knows a wanted symbol with its quote currency', two, 'btc-usd', 'BTC', [50, 60]],
  ])('%s', (_, text, wanted, symbol, closes) => {
    expect(parseReplay(text, wanted)).toMatchObject({ symbol, closes })
  })

  test.each([
    ['an empty file', '', /time column/, undefined],
    ['no close', 'timestamp,open\n1,2', /"close" column/, undefined],
    ['one price', 'timestamp,close\n1,2', /at least two times/, undefined],
    ['a broken price', 'timestamp,close\n1,2\n2,zero', /line 3 has no readable close: "zero"/, undefined],
    ['a price of nothing', 'timestamp,close\n1,0\n2,1', /line 2 has no readable close/, undefined],
    [
      'a broken time',
      'timestamp,close\n1,2\nyesterday,3',
      /line 3 has no readable time: "yesterday"/,
      undefined,
    ],
    [
      'none of the wanted symbol',
      'time,symbol,close\n1,ETH,5\n2,ETH,6',
      /no rows of DOGE, only of ETH/,
      'DOGE',
    ],
  ])('is refused with %s', (_, text, why, wanted) => {
    expect(() => parseReplay(text, wanted)).toThrow(why)
  })

  test('shows the last close at or before a time, never the next one', () => {
    const replay = { symbol: 'BTC', times: [10, 20, 30], closes: [1, 2, 3] }
    expect([5, 10, 19.9, 20, 29, 30, 99].map((at) => barAt(replay, at))).toEqual([0, 0, 0, 1, 1, 2, 2])
  })
})

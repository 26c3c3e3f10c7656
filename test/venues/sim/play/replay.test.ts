import { describe, expect, test } from 'vitest'

import { parseReplay, priceAt } from '../../../../src/venues/sim/play/replay.ts'

const NEW_YEAR = 1_735_689_600

describe('a recording of prices', () => {
  test.each([
    ['with unix seconds', `timestamp,close\n${NEW_YEAR},100\n${NEW_YEAR + 60},101`],
    ['with unix milliseconds', `time,close\n${NEW_YEAR}000,100\n${NEW_YEAR + 60}000,101`],
    ['with unix microseconds', `time,close\n${NEW_YEAR}000000,100\n${NEW_YEAR + 60}000000,101`],
    ['with unix nanoseconds', `time,close\n${NEW_YEAR}000000000,100\n${NEW_YEAR + 60}000000000,101`],
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
    const { times, prices } = parseReplay(text, undefined)
    expect(times).toEqual([NEW_YEAR, NEW_YEAR + 60])
    expect(prices).toEqual([100, 101])
  })

  test.each([
    ['the nearer extreme first, here the high', '100,101,90,95', [100, 101, 90, 95]],
    ['the nearer extreme first, here the low', '100,110,99,105', [100, 99, 110, 105]],
    ['the high first where both are as near', '100,105,95,98', [100, 105, 95, 98]],
  ])('visits open, high, low and close within a bar, %s', (_, bar, prices) => {
    const text = `time,open,high,low,close\n1000,${bar}\n1060,9,9,9,9`
    expect(parseReplay(text, undefined).times).toEqual([1000, 1015, 1030, 1045, 1060, 1075, 1090, 1105])
    expect(parseReplay(text, undefined).prices).toEqual([...prices, 9, 9, 9, 9])
  })

  test('is not stretched over a gap: the close stands until the next bar', () => {
    const text = 'time,open,high,low,close\n0,5,8,4,6\n60,6,6,6,6\n9000,7,7,7,7'
    const replay = parseReplay(text, undefined)
    expect(replay.times.slice(4, 9)).toEqual([60, 75, 90, 105, 9000])
  })

  test('may be months of minutes', () => {
    const rows = Array.from({ length: 200_000 }, (_, minute) => `${NEW_YEAR + minute * 60},4`)
    expect(parseReplay(['time,close', ...rows].join('\n'), undefined).times).toHaveLength(rows.length)
  })

  test.each([
    ['an hour', 3_600],
    ['a minute', 60],
  ])('tells how far its price goes in an hour, whatever its bars: here bars of %s', (_, seconds) => {
    const step = 0.01 * Math.sqrt(seconds / 3_600)
    const rows = Array.from(
      { length: 50 },
      (_row, bar) => `${bar * seconds},${100 * Math.exp((bar % 2) * step)}`,
    )
    expect(parseReplay(['time,close', ...rows].join('\n'), undefined).hourlyDeviation).toBeCloseTo(0.01, 9)
  })

  const two = 'time,symbol,close\n1,ETHUSDT,5\n1,BTCUSDT,50\n2,ETHUSDT,6\n2,BTCUSDT,60'
  test.each([
    ['is of BTC when nothing says otherwise', 'time,close\n1,5\n2,6', undefined, 'BTC', [5, 6]],
    ['is of the symbol that the setting names', 'time,close\n1,5\n2,6', 'sol', 'SOL', [5, 6]],
    ['is of its first symbol', two, undefined, 'ETH', [5, 6]],
    ['is of the wanted one of its symbols', two, 'BTC', 'BTC', [50, 60]],
    ['knows a wanted symbol with its quote currency', two, 'btc-usd', 'BTC', [50, 60]],
  ])('%s', (_, text, wanted, symbol, prices) => {
    expect(parseReplay(text, wanted)).toMatchObject({ symbol, prices })
  })

  test.each([
    ['an empty file', '', /time column/, undefined],
    ['no close', 'timestamp,open\n1,2', /"close" column/, undefined],
    ['one price', 'timestamp,close\n1,2', /at least two times/, undefined],
    ['a broken price', 'timestamp,close\n1,2\n2,zero', /line 3 has no readable close: "zero"/, undefined],
    [
      'a broken extreme',
      'time,open,high,low,close\n1,2,2,,2\n2,2,2,2,2',
      /line 2 has no readable low/,
      undefined,
    ],
    ['a price of nothing', 'timestamp,close\n1,0\n2,1', /line 2 has no readable close/, undefined],
    [
      'a broken time',
      'timestamp,close\n1,2\nyesterday,3',
      /line 3 has no readable time: "yesterday"/,
      undefined,
    ],
    [
      'a time that no calendar has',
      `time,close\n1,2\n1${'0'.repeat(30)},3`,
      /line 3 has no readable time/,
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

  test('shows the last price at or before a time, never the next one', () => {
    const replay = { symbol: 'BTC', times: [10, 20, 30], prices: [1, 2, 3] }
    expect([5, 10, 19.9, 20, 29, 30, 99].map((at) => priceAt(replay, at))).toEqual([0, 0, 0, 1, 1, 2, 2])
  })
})

/** A recorded price path: market time in unix seconds, oldest first, at least two prices. */
export interface Replay {
  symbol: string
  times: number[]
  prices: number[]
  /** The hourly deviation of the price's logarithm, close to close. */
  hourlyDeviation: number
}

interface Bar {
  seconds: number
  close: number
  /** Null if the recording has closes alone. */
  range: { open: number; high: number; low: number } | null
}

const TIME_COLUMNS = ['timestamp', 'time', 'date', 'datetime', 'unix', 'open_time', 'opentime']

/**
 * Reads a CSV whose header names a time and a close column. With open, high and low, the path goes through
 * all four. Other columns are ignored. Throws an Error that says what is wrong with the file.
 */
export function parseReplay(text: string, wantedSymbol: string | undefined): Replay {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const header = cells(lines[0] ?? '').map((name) => name.toLowerCase())
  const timeAt = TIME_COLUMNS.map((name) => header.indexOf(name)).find((at) => at >= 0) ?? timeLike(header)
  const closeAt = header.indexOf('close')
  const rangeAt = { open: header.indexOf('open'), high: header.indexOf('high'), low: header.indexOf('low') }
  const hasRanges = Object.values(rangeAt).every((at) => at >= 0)
  const symbolAt = header.indexOf('symbol')
  if (timeAt < 0) throw new Error('its first line names no time column (such as "timestamp")')
  if (closeAt < 0) throw new Error('its first line names no "close" column')

  const wanted = wantedSymbol === undefined ? undefined : plainSymbol(wantedSymbol)
  const rows = lines
    .map((line, index) => ({ cell: cells(line), number: index + 1, blank: line.trim() === '' }))
    .filter((row) => row.number > 1 && !row.blank)
  const symbols = symbolAt < 0 ? [] : [...new Set(rows.map((row) => plainSymbol(row.cell[symbolAt] ?? '')))]
  const symbol = wanted ?? symbols[0] ?? 'BTC'
  if (symbolAt >= 0 && !symbols.includes(symbol)) {
    throw new Error(`it has no rows of ${symbol}, only of ${symbols.join(', ') || 'nothing'}`)
  }
  const bars = rows
    .filter((row) => symbolAt < 0 || plainSymbol(row.cell[symbolAt] ?? '') === symbol)
    .map(({ cell, number }): Bar => {
      const read = (name: string, at: number) => price(name, cell[at] ?? '', number)
      const range = () => ({
        open: read('open', rangeAt.open),
        high: read('high', rangeAt.high),
        low: read('low', rangeAt.low),
      })
      const seconds = unixSeconds(cell[timeAt] ?? '', number)
      return { seconds, close: read('close', closeAt), range: hasRanges ? range() : null }
    })
    .sort((a, b) => a.seconds - b.seconds)
  if (bars.length < 2 || bars[0]?.seconds === bars.at(-1)?.seconds) {
    throw new Error('it needs prices of at least two times')
  }
  const points = path(bars)
  return {
    ...{ symbol, times: points.map(([seconds]) => seconds), prices: points.map(([, price]) => price) },
    hourlyDeviation: hourlyDeviation(bars),
  }
}

function hourlyDeviation(bars: readonly Bar[]): number {
  const returns = bars.slice(1).map((bar, index) => Math.log(bar.close / (bars[index]?.close ?? bar.close)))
  const hours = ((bars.at(-1)?.seconds ?? 0) - (bars[0]?.seconds ?? 0)) / 3600
  return Math.sqrt(returns.reduce((sum, one) => sum + one ** 2, 0) / hours)
}

/**
 * A bar says where the price was, not when. Each of its open, extremes and close gets a quarter of the bar,
 * the extreme nearer to the open first. The shortest step between two bars is the length of each, so that no
 * extreme fills a gap. A close alone stands at the bar's time.
 */
function path(bars: readonly Bar[]): [seconds: number, price: number][] {
  const steps = bars.slice(1).map((bar, index) => bar.seconds - (bars[index]?.seconds ?? 0))
  // A year of minutes has too many steps for the arguments of Math.min.
  const quarter = steps.reduce((least, step) => (step > 0 ? Math.min(least, step) : least), Infinity) / 4
  return bars.flatMap(({ seconds, close, range }): [number, number][] => {
    if (!range) return [[seconds, close]]
    const { open, high, low } = range
    const extremes = high - open <= open - low ? [high, low] : [low, high]
    return [open, ...extremes, close].map((price, index) => [seconds + index * quarter, price])
  })
}

/** The index of the last price at or before a market time; 0 before the first. */
export function priceAt(replay: Pick<Replay, 'times'>, seconds: number): number {
  let low = 0
  let high = replay.times.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((replay.times[middle] ?? Infinity) <= seconds) low = middle
    else high = middle - 1
  }
  return low
}

function cells(line: string): string[] {
  return line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
}

/** Columns such as `time_local_london`, but not `close_time`, which lies after the bar's start. */
function timeLike(header: string[]): number {
  return header.findIndex((name) => /^(time|date)/.test(name))
}

/** `BTCUSDT`, `btc-usd` and `BTC` are the same coin. */
function plainSymbol(text: string): string {
  return text.toUpperCase().replace(/(?<=.)[-_/]?USD[TC]?$/, '')
}

function unixSeconds(text: string, line: number): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? secondsOf(Number(text)) : dated(text)
  if (Number.isNaN(new Date(seconds * 1000).valueOf()))
    throw new Error(`line ${line} has no readable time: "${text}"`)
  return seconds
}

function dated(text: string): number {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text)
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned ? text : utc(text)) / 1000 : NaN
}

/**
 * Guesses the unit: seconds, milliseconds, microseconds or nanoseconds. Each unit stays below 10^11, 10^14
 * and 10^17 until the year 5138, and the next smaller one has been above that since 1973.
 */
function secondsOf(time: number): number {
  return time < 1e11 ? time : time < 1e14 ? time / 1e3 : time < 1e17 ? time / 1e6 : time / 1e9
}

/** Takes a time without an offset as UTC, so that every machine plays the same. */
function utc(text: string): string {
  return text.length <= 10 ? text : `${text.replace(' ', 'T')}Z`
}

function price(column: string, text: string, line: number): number {
  const value = text === '' ? NaN : Number(text)
  if (!Number.isFinite(value) || value <= 0)
    throw new Error(`line ${line} has no readable ${column}: "${text}"`)
  return value
}

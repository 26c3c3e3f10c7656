/**
 * Packs columns of numbers into few bytes: as whole multiples of a power of ten, and as differences between neighbours.
 * Figures of up to ten digits, as venues write prices, come back exact. Longer ones are off by at most 1e-10 of their
 * value.
 */
export function pack(columns: readonly (readonly number[])[]): Uint8Array {
  const bytes: number[] = []
  put(bytes, columns.length)
  put(bytes, columns[0]?.length ?? 0)
  for (const column of columns) {
    const decimals = decimalsOf(column)
    put(bytes, zigzag(decimals))
    const scale = 10 ** Math.abs(decimals)
    let [before, pace] = [0, 0]
    const steady = isSteady(column)
    put(bytes, steady ? 1 : 0)
    for (const value of column) {
      const whole = Math.round(decimals < 0 ? value / scale : value * scale)
      put(bytes, zigzag(whole - before - pace))
      if (steady) pace = whole - before
      before = whole
    }
  }
  return Uint8Array.from(bytes)
}

/** Reverses `pack`. Throws a RangeError if bytes are missing. */
export function unpack(bytes: Uint8Array): Float64Array[] {
  let at = 0
  const take = () => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('the numbers are cut off')
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  const [columns, length] = [take(), take()]
  return Array.from({ length: columns }, () => {
    const decimals = unzigzag(take())
    const scale = 10 ** Math.abs(decimals)
    const steady = take() === 1
    let [before, pace] = [0, 0]
    const column = new Float64Array(length)
    for (let index = 0; index < length; index++) {
      const whole = before + pace + unzigzag(take())
      if (steady) pace = whole - before
      before = whole
      column[index] = decimals < 0 ? whole * scale : whole / scale
    }
    return column
  })
}

/** More digits than these are worth no bytes. */
const MAX_MULTIPLE = 1e10
const LONGEST = 1e15
const MAX_DECIMALS = 18

/** The fewest decimals that all of them have, or as many as ten digits allow. */
function decimalsOf(column: readonly number[]): number {
  const largest = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (column.every((value) => Number.isInteger(value) && Math.abs(value) < LONGEST)) return 0
  const most = Math.min(Math.floor(Math.log10(MAX_MULTIPLE / largest)), MAX_DECIMALS)
  for (let decimals = 1; decimals < most; decimals++) {
    const scale = 10 ** decimals
    if (
      column.every((value) => Math.abs(Math.round(value * scale) / scale - value) <= 1e-15 * Math.abs(value))
    )
      return decimals
  }
  return most
}

/** Times mostly come at an even pace, so the differences from that pace are small. */
function isSteady(column: readonly number[]): boolean {
  const [first = 0, last = 0] = [column[0], column.at(-1)]
  const pace = (last - first) / Math.max(column.length - 1, 1)
  let [plain, even] = [0, 0]
  for (let index = 1; index < column.length; index++) {
    const gap = (column[index] ?? 0) - (column[index - 1] ?? 0)
    plain += Math.abs(gap)
    even += Math.abs(gap - pace)
  }
  return even * 4 < plain
}

/** Seven bits to a byte, the lowest first; whole and not negative. */
function put(bytes: number[], value: number): void {
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  bytes.push(left)
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

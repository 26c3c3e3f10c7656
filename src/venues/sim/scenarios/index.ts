import { type Act, nothingHappens, type Scenario, through, wildness } from './scenario.ts'

const SYMBOLS = ['ETH', 'BTC', 'Sol', 'DOGE']
const EVERY_HOURS = 3
const ROUNDS = 50

/** Closes the positions one after the other, and opens each again. */
const acts = Array.from({ length: ROUNDS * SYMBOLS.length }, (_, turn): Act[] => {
  const symbol = SYMBOLS[turn % SYMBOLS.length] ?? 'ETH'
  const atHours = 2 + turn * EVERY_HOURS
  return [
    { atHours, does: 'close', symbol },
    { atHours: atHours + EVERY_HOURS / 2, does: 'open', symbol },
  ]
}).flat()

const openClose: Scenario = {
  ...nothingHappens,
  ...{ name: 'open-close', plays: 'while the first wallet closes and opens its positions in turn', acts },
}

/**
 * One round of the welcome, in market hours of six real seconds. The long in ETH comes near and is safe again. The short in
 * BTC is critical for half a minute, then liquidated. The long in Sol comes near last.
 */
const ROUND_HOURS = 66
/* oxfmt-ignore */
const ROUND: Readonly<Record<string, ReturnType<typeof through>>> = {
  ETH: through(
    [0, 0], [2.5, -0.06], [5, -0.165], [8.5, -0.214], [9.5, -0.23],
    [10.5, -0.236], [11.5, -0.234], [13.5, -0.165], [17, 0.005],
  ),
  BTC: through(
    [14, 0], [16.5, 0.06], [19, 0.125], [21, 0.165], [22, 0.172],
    [24, 0.185], [25.5, 0.192], [27, 0.205], [28.2, 0.23], [34, 0.05], [40, 0],
  ),
  Sol: through([42, 0], [46, -0.15], [50, -0.21], [52, -0.232], [55, -0.15], [60, 0]),
}

/** Shows a newcomer a warning that can be read and acted on, its end, a close and a liquidation within three minutes. */
const welcome: Scenario = {
  ...nothingHappens,
  ...{ name: 'welcome', plays: 'with something to see in the first minutes', homeDistance: 0.24 },
  moves: (symbol, hours) => ROUND[symbol]?.(hours % ROUND_HOURS) ?? 0,
  acts: Array.from({ length: 20 }, (_, round): Act[] => [
    { atHours: round * ROUND_HOURS + 11.5, does: 'close', symbol: 'DOGE' },
    { atHours: round * ROUND_HOURS + 32, does: 'open', symbol: 'DOGE' },
  ]).flat(),
}

const rise = through([2, 0], [6, 0.05], [7, 0.04], [12, 0.19], [30, 0.12])
/** Ever more traders are short at first. Once the price has run over them, they are gone. */
const crowded = through([0, 0], [2, -0.01], [12, -0.02], [16, 0])

/** The shorts have to buy, and pay funding to the longs until then. */
const squeeze: Scenario = {
  ...nothingHappens,
  ...{ name: 'squeeze', plays: 'in which the shorts are squeezed' },
  moves: (symbol, hours) => wildness(symbol) * rise(hours),
  pushes: (_, hours) => crowded(hours),
}

const HOURS = 8
const PER_DAY = 0.02

/** The crowd changes sides every few hours, and the funding with it. */
const flip: Scenario = {
  ...nothingHappens,
  ...{ name: 'flip', plays: 'whose funding flips every few hours' },
  // Half a turn first, so that the funding swings around its start.
  pushes: (_, hours) => (Math.floor(hours / HOURS + 0.5) % 2 === 0 ? -PER_DAY : PER_DAY),
}

const [FROM, TO] = [4, 12]
const outageFall = through([2, 0], [8, -0.09], [16, -0.1], [30, -0.04])

/** Prices fall during an outage: positions are nearer to liquidation after it than before. */
const outage: Scenario = {
  ...nothingHappens,
  ...{ name: 'outage', plays: 'which fall while the venue answers nothing but 503' },
  moves: (symbol, hours) => wildness(symbol) * outageFall(hours),
  isOut: (hours) => hours >= FROM && hours < TO,
}

/** Falls in three waves and stays down. */
const crashFall = through([2, 0], [5, -0.06], [6, -0.045], [9, -0.13], [10, -0.11], [13, -0.27], [40, -0.22])

const crash: Scenario = {
  ...nothingHappens,
  ...{ name: 'crash', plays: 'which crash in three waves' },
  moves: (symbol, hours) => wildness(symbol) * crashFall(hours),
}

/** Falls and recovers within the hour. */
const wick = through([5, 0], [5.2, -0.2], [5.3, -0.2], [6, -0.01], [8, 0])

const flash: Scenario = {
  ...nothingHappens,
  ...{ name: 'flash', plays: 'with a flash crash that is over within the hour' },
  moves: (symbol, hours) => wildness(symbol) * wick(hours),
}

/** Prices stay while days of funding eat the margin: the liquidation price creeps up to a still price. */
const bleed: Scenario = {
  ...nothingHappens,
  ...{ name: 'bleed', plays: 'in which longs of ETH and Sol are bled by funding', fastFunding: true },
  pushes: (symbol) => (symbol === 'ETH' || symbol === 'Sol' ? 0.15 : 0),
}

const calm: Scenario = {
  ...nothingHappens,
  ...{ name: 'calm', plays: 'on a quiet day' },
}

/** In the order in which they are listed. */
const scenarios: readonly Scenario[] = [calm, crash, flash, squeeze, bleed, flip, outage, openClose]

export const SCENARIO_NAMES = scenarios.map(({ name }) => name)

/** Returns the scenario of this name, or the welcome scenario without a name. */
export function findScenario(name: string | undefined): Scenario {
  return scenarios.find((scenario) => scenario.name === name) ?? welcome
}

import type { Sample } from './soak-samples.ts'

type Measure = Exclude<keyof Sample, 'hour'>
interface Panel {
  title: string
  lines: readonly (readonly [measure: Measure, name: string])[]
}

const PANELS: readonly Panel[] = [
  {
    title: 'memory, MB',
    lines: [
      ['residentMb', 'resident'],
      ['heapMb', 'heap after a collection'],
    ],
  },
  { title: 'open descriptors', lines: [['descriptors', 'descriptors']] },
  {
    title: 'on the disk, MB',
    lines: [
      ['databaseMb', 'database'],
      ['walMb', 'write-ahead log'],
    ],
  },
  { title: 'processor time of a simulated hour, ms', lines: [['cpuMs', 'processor time']] },
  { title: 'longest turn of the loop, ms of processor time', lines: [['heldMs', 'longest turn']] },
]
const WIDTH = 760
const PLOT = { left: 56, right: 28, height: 92, pitch: 142, top: 34 }
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 } .small { font-size: 11px; fill: #59636e }
  .axis { stroke: #8b949e; stroke-width: 1 } .grid { stroke: #8b949e; stroke-opacity: .25 }
  path { fill: none; stroke-width: 1.3 } .a { stroke: #0969da } .b { stroke: #bc4c00 }
  .ta { fill: #0969da } .tb { fill: #bc4c00 } .paper { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .a { stroke: #58a6ff } .b { stroke: #f0883e }
    .ta { fill: #58a6ff } .tb { fill: #f0883e } .paper { fill: #0d1117 }
  }`

/** What was sampled each hour, over the days: every axis begins at zero. */
export function pictureOf(samples: readonly Sample[]): string {
  const height = PANELS.length * PLOT.pitch + 12
  const panels = PANELS.map((panel, place) => panelOf(panel, samples, PLOT.top + place * PLOT.pitch))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>Memory, descriptors, disk and delay over ${Math.round(samples.length / 24)} simulated days</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

function panelOf({ title, lines }: Panel, samples: readonly Sample[], top: number): string {
  const right = WIDTH - PLOT.right
  const bottom = top + PLOT.height
  const step = stepFor(Math.max(...lines.flatMap(([measure]) => samples.map((sample) => sample[measure]))))
  const most = step.size * step.count
  const x = (hour: number) => PLOT.left + ((right - PLOT.left) * hour) / samples.length
  const y = (value: number) => bottom - (PLOT.height * value) / most
  const days = samples.length / 24
  const every = days > 10 ? 7 : 1
  const names = lines.map(
    ([, name], place) =>
      `<text class="${place === 0 ? 'ta' : 'tb'}" x="${right - 190 * (lines.length - 1 - place)}" y="${top - 10}" text-anchor="end">${name}</text>`,
  )
  const across = Array.from({ length: step.count + 1 }, (_, place) => {
    const at = y(place * step.size).toFixed(1)
    return `<path class="grid" d="M${PLOT.left} ${at}H${right}"/><text class="small" x="${PLOT.left - 6}" y="${Number(at) + 4}" text-anchor="end">${Number((place * step.size).toFixed(6)).toLocaleString('en')}</text>`
  })
  const up = Array.from({ length: Math.floor(days / every) + 1 }, (_, place) => {
    const at = x(place * every * 24).toFixed(1)
    return `<path class="axis" d="M${at} ${bottom}v4"/><text class="small" x="${at}" y="${bottom + 16}" text-anchor="middle">day ${place * every}</text>`
  })
  const curves = lines.map(([measure], place) => {
    const points = samples.map((sample) => `${x(sample.hour).toFixed(1)} ${y(sample[measure]).toFixed(1)}`)
    return `<path class="${place === 0 ? 'a' : 'b'}" d="M${points.join('L')}"/>`
  })
  return [
    `<text x="${PLOT.left}" y="${top - 10}">${title}</text>`,
    ...(lines.length > 1 ? names : []),
    ...across,
    ...up,
    `<path class="axis" d="M${PLOT.left} ${bottom}H${right}"/>`,
    ...curves,
  ].join('\n')
}

/** Three to five round steps that reach so high. */
function stepFor(most: number): { size: number; count: number } {
  const least = Math.max(most, 1e-6) / 4
  const ten = 10 ** Math.floor(Math.log10(least))
  const size = ([1, 2, 5, 10].find((round) => round * ten >= least) ?? 10) * ten
  return { size, count: Math.max(1, Math.ceil(most / size)) }
}

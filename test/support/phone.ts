/** What one phone shows: who wrote it, its lines, and the buttons below. */
export interface Bubble {
  from: 'bot' | 'me'
  lines: string[]
  buttons: string[]
}

export interface Theme {
  phone: string
  screen: string
  bot: string
  me: string
  text: string
  faint: string
  button: string
}

const WIDTH = 380
const FRAME = 14
const MARGIN = 12
const PADDING = 12
const FONT = 15
const LINE = 21
const BUTTON = 34
const GAP = 6
/** Columns of a phone; longer lines are broken as a phone breaks them. */
const COLUMNS = 36

/** Draws a chat as a phone shows it, as an SVG that needs no font and no network. */
export function drawPhone(title: string, bubbles: readonly Bubble[], theme: Theme): string {
  const parts: string[] = []
  let y = FRAME + 52
  for (const bubble of bubbles) {
    const { svg, height } = drawBubble(bubble, y, theme)
    parts.push(svg)
    y += height + 14
  }
  const height = y + FRAME
  const inside = WIDTH - 2 * FRAME
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="${FONT}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="34" fill="${theme.phone}"/>`,
    `<rect x="${FRAME}" y="${FRAME}" width="${inside}" height="${height - 2 * FRAME}" rx="22" fill="${theme.screen}"/>`,
    words('Perch', FRAME + MARGIN + 8, FRAME + 32, theme.text, 'font-weight="600"'),
    words('bot', FRAME + MARGIN + 58, FRAME + 32, theme.faint),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function drawBubble(
  { from, lines, buttons }: Bubble,
  y: number,
  theme: Theme,
): { svg: string; height: number } {
  const shown = lines.flatMap((line) => broken(line, COLUMNS))
  const rows = rowsOf(buttons)
  const full = WIDTH - 2 * (FRAME + MARGIN)
  const width = from === 'bot' ? full : 20 + 2 * PADDING + 8 * Math.max(...shown.map((line) => line.length))
  const x = from === 'bot' ? FRAME + MARGIN : FRAME + MARGIN + full - width
  const textHeight = shown.length * LINE + 2 * PADDING - 6
  const parts = [
    `<rect x="${x}" y="${y}" width="${width}" height="${textHeight}" rx="14" fill="${theme[from]}"/>`,
    ...shown.map((line, index) => {
      const weight = from === 'bot' && lines[0]?.startsWith(line) && index === 0 ? 'font-weight="600"' : ''
      return words(line, x + PADDING, y + PADDING + 12 + index * LINE, theme.text, weight)
    }),
  ]
  rows.forEach((row, index) => {
    const top = y + textHeight + GAP + index * (BUTTON + GAP)
    const each = (full - GAP * (row.length - 1)) / row.length
    row.forEach((label, place) => {
      const left = x + place * (each + GAP)
      const middle = left + each / 2
      parts.push(
        `<rect x="${left}" y="${top}" width="${each}" height="${BUTTON}" rx="8" fill="${theme.button}"/>`,
        words(label, middle, top + 22, theme.text, 'text-anchor="middle"'),
      )
    })
  })
  return { svg: parts.join('\n'), height: textHeight + rows.length * (BUTTON + GAP) }
}

/** Two in a row, as Telegram shows them. */
function rowsOf(buttons: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(buttons.length / 2) }, (_, row) =>
    buttons.slice(2 * row, 2 * row + 2),
  )
}

function broken(line: string, columns: number): string[] {
  if (line === '') return ['']
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function words(line: string, x: number, y: number, fill: string, more = ''): string {
  const attributes = more === '' ? '' : ` ${more}`
  return `<text x="${x}" y="${y}" fill="${fill}"${attributes}>${escaped(line)}</text>`
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

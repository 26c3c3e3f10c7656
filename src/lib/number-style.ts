/** Figures as we write them: `1,234.5`, `$157.8k`. Not inside words, versions, addresses or times. */
const FIGURE =
  /(?<![\w.,:#/])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?=[kMBT]?(?:$|[^\w.,:/]|[.,:](?:$|[^\w.,])))/g

/** Rewrites the figures of a text from `1,234.5` to another style. */
export function restyle(text: string, style: string): string {
  if (style === '1,234.5') return text
  const thousands = style === '1.234,5' ? '.' : ' '
  return text.replace(FIGURE, (figure) => figure.replace(/[.,]/g, (mark) => (mark === ',' ? thousands : ',')))
}

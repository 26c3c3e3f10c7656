import type english from '../../en/picture/card.ts'

export default {
  'card.simulated': 'SIMULATION · SPIELGELD',
  'card.side': '{side:long=Long|short=Short}',
  'card.from-liquidation': 'zur Liquidation',
  'card.away': '{amount} entfernt',
  'card.past': 'durch',
  'card.past.lines': 'die Liquidation',
  'card.none': 'kein',
  'card.none.lines': 'Liquidationspreis',
  'card.unseen': '?',
  'card.unseen.lines': 'Preis nicht gesehen',
  'card.not-seen': 'nicht gesehen',
  'card.pnl': 'PnL',
  'card.entry': 'Einstieg',
  'card.funding': 'Funding am Tag',
  'card.high': 'höchster',
  'card.low': 'tiefster',
  'card.change': '{change} seit {since}',
  'card.price': '{time} · {name:mark=Mark-Preis|index=Index-Preis}',
  'card.maker': 'Perch',
  'card.unknown': '–',
} satisfies Record<keyof typeof english, string>

export default {
  'parse.zone.clock': 'It is {time} there now.',
  'parse.zone.which': '{typed} can mean several time zones. What does your clock show?',
  'parse.far-price': '{market} is {now} now. Alert at {level}?',
  'parse.far-price.or': '{market} is {now} now. Alert at {level}, or did you mean {other}?',
  'parse.history-file': 'Your alert history as a file (CSV)?',
  'parse.trade': 'I only read: I can’t trade and never need a key.',
} as const

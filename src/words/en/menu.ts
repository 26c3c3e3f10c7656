export default {
  // Seen in an empty chat with the bot, before /start.
  'menu.description':
    'I warn you before a position is liquidated: here, on your phone, or through a backup person. I only read; I can’t touch funds. Tap Start, then paste a wallet address (0x…).',
  // Seen on the bot’s profile, and with a link to it.
  'menu.short-description': 'Warns you before a position is liquidated. Read-only: it can’t touch funds.',
} as const

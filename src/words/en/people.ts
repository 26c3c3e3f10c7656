export default {
  // When somebody gets an alert that nobody acknowledges.
  'escalation.at-once': 'at once',
  'escalation.after': 'after {minutes} min',
  'escalation.unanswered': 'if nobody acknowledges for {minutes} min',
  'escalation.button.at-once': 'At once',
  'escalation.button.after': '{minutes} min',

  // Why a critical alert may reach nobody.
  'trouble.no-chat': 'I can’t alert you: I have no private chat with you. Write to me there.',
  'trouble.handover': 'Handed over to {name}, but I can’t reach them: {why}.',
  'trouble.unwritable': 'I can’t write to you on {platform}',
  'trouble.covered': '{wrong}. {platform} gets your alerts instead.',
  'trouble.late': '{wrong}. {platform} gets critical alerts a minute late; the rest waits.',
  'trouble.next': '{wrong}. Critical alerts go to {name} {when}, and to nobody before. /link',
  'trouble.alone': '{wrong}, and you have no backup. /link adds a platform.',
  'trouble.backup-late':
    'If {platform} is down, critical alerts go to {name} {when}, and to nobody before. Name a backup chat: /settings fallback',
  'trouble.no-backup': 'No backup: if {platform} is down, critical alerts can’t reach you. /link',
  'trouble.step': '{name} ({when}): {wrong}.',
  'trouble.one-platform': 'Everything goes through {platform}. If it’s down, nobody is alerted. /link',

  'wrong.not-set-up': '{platform} isn’t set up here',
  'wrong.unwritable': 'I can’t write there: {why}',
  'wrong.replaced': '{wrong}; {platform} takes its place',
  'wrong.no-chat': 'I have no private chat with them',
  'wrong.not-backup': 'no longer your backup. To remove: /escalate @{name} none',

  'muted.all': 'Everything',
  'muted.wallet': 'Alerts for {wallet}',
  'muted.market': '{market} alerts',
  'muted.kind': '{kind} alerts',

  'people.no-chat': 'I have no private chat with you yet. Write to me there first.',
} as const

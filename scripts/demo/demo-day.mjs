// What three clients do to the example vault on one day, as data: most of it is welcome, some is not,
// and some of it waits for the owner. The owner of that vault, Ines, finds all of it in the console.

const claude = { name: 'claude-desktop', version: '0.14.0' };
/** The app on the phone, which comes through claude.ai. */
const phone = { name: 'claude.ai', version: '1.0.0' };
const cursor = { name: 'cursor-vscode', version: '2.2.14' };
/** The date of the day, such as 2026-11-17. */
const today = new Date(Date.now() - 60_000 * new Date().getTimezoneOffset())
  .toISOString()
  .slice(0, 10);

/** After more than so many files, one session of the day has to ask before it deletes another. */
export const demoBrake = 2;

/**
 * The sessions of the day, in their order. Each client has a token of its own, made with `flags`.
 * `asks` is a call that the brake stops: it is made last, and waits for the owner.
 */
export const demoDay = [
  {
    client: claude,
    token: { name: 'laptop', flags: ['--tools', 'notes'] },
    calls: [
      ['read_note', { name: 'How this vault works' }],
      ['read_note', { name: 'Flood map' }],
      [
        'daily_note',
        {
          section: 'Notes',
          text: [
            'Priya sent the last of the 1926 readings, typed and not photographed. The northern polders are drawn: [[Flood map]].',
            '',
            'Tomasz wants to call the shed by its whole name in the minutes.',
          ].join('\n'),
        },
      ],
      ['set_task', { name: 'Flood map', text: 'Northern polders', status: 'done' }],
      [
        'replace_note',
        {
          name: 'Flood map',
          old_text: '- [ ] Compare with the flood of 1926',
          new_text: [
            '- [ ] Compare with the flood of 1926: readings from [[Priya Raman|Priya]], 14 gauges',
            '- [ ] Walk the northern dyke with the new sheet',
          ].join('\n'),
        },
      ],
      ['set_frontmatter', { name: 'Flood map', key: 'review', value: '2026-12-08T14:00:00' }],
      ['rename_note', { old_name: 'Bike shed', new_name: 'Bicycle shed' }],
      ['read_note', { path: 'Projects/Greenhouse/Log.md' }],
      [
        'create_note',
        {
          name: 'Recipes/Green tomato chutney',
          content: [
            '---',
            'tags:',
            '  - cooking',
            'servings: 12',
            'minutes: 120',
            'vegetarian: true',
            '---',
            '# Green tomato chutney',
            '',
            'For the 6.2 kg that never turned red: [[Projects/Greenhouse/Log|the log]].',
            '',
            '- 2 kg green tomatoes, in small pieces',
            '- 500 g onions, 300 g sugar, 400 ml cider vinegar',
            '- no walnuts, because of [[Tomasz Bielak|Tomasz]]',
            '',
            'Two hours on a low flame. It is ready when a spoon leaves a path.',
            '',
          ].join('\n'),
        },
      ],
      ['read_note', { name: 'Sourdough' }],
      [
        // A bad overwrite: the recipe is gone, and so is every rule of "AI Text Quality Guidelines".
        'update_note',
        {
          name: 'Sourdough',
          content: [
            '# Sourdough',
            '',
            "In today's fast-paced world, sourdough is a rich tapestry of tradition and flavour. Let us delve into it!",
            '',
            '1. Mix flour, water, rye starter and salt.',
            '2. Let the dough rise overnight.',
            '3. Bake until golden and enjoy.',
            '',
          ].join('\n'),
        },
      ],
    ],
  },
  {
    client: cursor,
    token: { name: 'editor', flags: ['--tools', 'agent'] },
    calls: [
      ['note_read', { path: 'claude/devlog/home-server.md' }],
      [
        'note_upsert',
        {
          path: 'claude/devlog/home-server.md',
          content: [
            '',
            `## ${today}`,
            '',
            'The renewal of the certificate is a timer now, `renew-cert.timer`: daily, with a random delay of an hour. First run at 03:40, 41 days left. Why a timer: [[ADR-002-timers-not-cron]].',
          ].join('\n'),
        },
      ],
      [
        'note_upsert',
        {
          path: 'claude/adr/ADR-002-timers-not-cron.md',
          frontmatter: {
            tags: ['adr', 'accepted'],
            adr: 2,
            date: today,
            status: 'accepted',
            project: 'home-server',
            related: ['[[ADR-001-notes-stay-files]]'],
          },
          content: [
            '# ADR-002: Timers, not cron',
            '',
            '## Context',
            '',
            'The certificate was renewed by hand on 10 November, a day late: cron ran the script before the name server was up.',
            '',
            '## Decision',
            '',
            'Systemd timers. They wait for the network, and a run that was missed is made up for.',
            '',
            '## Consequences',
            '',
            'One place to look: `systemctl list-timers`. The crontab of the box is empty from now on.',
            '',
          ].join('\n'),
        },
      ],
      // It tidies up what it takes for old: "Never delete a daily note" is in the rules of the vault.
      ['note_delete', { path: 'Daily/2024-11-17.md' }],
      ['note_delete', { path: 'Daily/2025-06-21.md' }],
      ['note_delete', { path: 'Daily/2026-02-14.md' }],
    ],
    asks: ['note_delete', { path: 'Daily/2026-09-26.md' }],
  },
  {
    client: phone,
    token: { name: 'phone', flags: ['--tools', 'notes', '--propose'] },
    calls: [
      ['read_note', { name: 'Money' }],
      [
        'replace_note',
        {
          name: 'Money',
          old_text: '- [[Flood map]]: three instalments, the second is late',
          new_text:
            '- [[Flood map]]: three instalments, the second came on 12 November, after a letter',
        },
      ],
    ],
  },
];

import { media } from './media.ts';
import { pictures } from './pictures.ts';

/** Files of every kind with bytes changed, left out, put in or cut off; always the same ones. */
export function damagedFiles(count: number): Readonly<Record<string, Uint8Array>> {
  let seed = 20_261_118;
  const below = (max: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % max;
  };
  const whole = [
    ...Object.entries(media).filter(([name]) => /png|jpg|gif|webp|wav|pdf/.test(name)),
    ...Object.entries(pictures).map(
      ([name, data]) => [`x.${kindIn(name)}`, Buffer.from(data, 'base64')] as const,
    ),
  ];
  const files: Record<string, Uint8Array> = {};
  for (let at = 0; at < count; at++) {
    const [name, bytes] = whole[at % whole.length] ?? ['x.png', new Uint8Array()];
    let made = Buffer.from(bytes);
    for (let times = 1 + below(4); times > 0; times--) {
      const place = below(made.length + 1);
      const how = below(4);
      if (how === 0) made = made.subarray(0, Math.max(12, place));
      else if (how === 1) made[place] = below(256);
      else if (how === 2) made.fill(255, place, Math.min(made.length, place + below(8)));
      else made = Buffer.concat([made.subarray(0, place), made.subarray(place + below(16))]);
    }
    files[`${at}.${name.split('.').at(-1)}`] = made;
  }
  return files;
}

function kindIn(name: string): string {
  const [kind = ''] = /(?:Jpeg|Png|Gif|Webp)$/.exec(name) ?? [];
  return kind.toLowerCase();
}

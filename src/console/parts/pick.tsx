import { Icon } from './icon.tsx';

/** A choice among several; the first one, `all`, is no choice. */
export function Pick({
  label,
  all,
  value,
  options,
  choose,
}: {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly choose: (value: string | undefined) => void;
}) {
  return (
    <span class="pick-list">
      <select
        class={value === undefined ? 'pick' : 'pick on'}
        aria-label={label}
        value={value ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      >
        <option value="">{all}</option>
        {options.map(([option, shown]) => (
          <option key={option} value={option}>
            {shown}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

/** A choice that is on or off. */
export function Toggle({
  label,
  isOn,
  flip,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly flip: () => void;
}) {
  return (
    <button type="button" class={isOn ? 'pick on' : 'pick'} aria-pressed={isOn} onClick={flip}>
      {label}
    </button>
  );
}

"""Writes calendar.json: when days begin, as Python's zoneinfo has it. Run: python3 calendar.py > calendar.json"""

import datetime
import json
import sys
import zoneinfo

UTC = datetime.timezone.utc
SECOND = datetime.timedelta(seconds=1)


def start_of(date: datetime.date, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    """The first instant whose local time is at or after the first midnight of the date."""
    midnight = datetime.datetime(date.year, date.month, date.day, tzinfo=zone)
    start = midnight.astimezone(UTC)
    if start.astimezone(zone).replace(tzinfo=None) == midnight.replace(tzinfo=None):
        return start
    # Midnight is skipped: the day begins with the first second after the change of the clocks.
    low, high = start - datetime.timedelta(days=2), start
    while high - low > SECOND:
        middle = low + SECOND * ((high - low) // SECOND // 2)
        if middle.astimezone(zone).date() >= date:
            high = middle
        else:
            low = middle
    return high


def changes(zone: zoneinfo.ZoneInfo, first: int, last: int) -> list:
    """The dates around each change of the clocks."""
    found = set()
    day = datetime.datetime(first, 1, 1, tzinfo=UTC)
    offset = day.astimezone(zone).utcoffset()
    while day.year < last:
        day += datetime.timedelta(days=1)
        if day.astimezone(zone).utcoffset() != offset:
            offset = day.astimezone(zone).utcoffset()
            local = day.astimezone(zone).date()
            found.update(local + datetime.timedelta(days=delta) for delta in (-2, -1, 0, 1))
    return sorted(found)


def text(instant: datetime.datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def vector(name: str, date: datetime.date) -> dict:
    zone = zoneinfo.ZoneInfo(name)
    return {
        "zone": name,
        "date": date.isoformat(),
        "day": text(start_of(date, zone)),
        "month": text(start_of(date.replace(day=1), zone)),
        "year": text(start_of(date.replace(month=1, day=1), zone)),
    }


# Clocks that change at midnight, a minute after it, by half an hour, or by a day; and some that do none of it.
ZONES = [
    "America/Havana",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Africa/Cairo",
    "Africa/Monrovia",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "UTC",
]

# Samoa and the Line Islands moved to the other side of the date line.
SKIPPED = {
    "Pacific/Apia": [datetime.date(2011, 12, 30)],
    "Pacific/Kiritimati": [datetime.date(1994, 12, 31)],
}

zones = sorted(zoneinfo.available_timezones()) if "--all" in sys.argv else ZONES
vectors = []
for name in zones:
    dates = changes(zoneinfo.ZoneInfo(name), 1969, 2024)
    step = 1 if "--all" in sys.argv else max(1, len(dates) // 40)
    vectors += [vector(name, date) for date in dates[::step] if date not in SKIPPED.get(name, [])]
    vectors += [vector(name, date) for date in SKIPPED.get(name, [])]
    vectors += [vector(name, datetime.date(year, 2, 28)) for year in (1970, 2000, 2023)]
print("[\n  %s\n]" % ",\n  ".join(json.dumps(each) for each in vectors))

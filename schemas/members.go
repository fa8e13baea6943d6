package schemas

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// This file treats the fields of all types of objects alike. An object is a struct with
// a Rest; what a Rest holds is as DecodeAny decodes it.

var (
	contentType = reflect.TypeFor[Content]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	numberType  = reflect.TypeFor[json.Number]()
)

// structFields yields the fields of an object by their names in JSON.
func structFields(object reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for i := range object.NumField() {
			name, _, _ := strings.Cut(object.Type().Field(i).Tag.Get("json"), ",")
			if name != "-" && !yield(name, object.Field(i)) {
				return
			}
		}
	}
}

// members yields what an object has, in the order of its file: its fields, those without
// a value from the rest, and then the rest by name. It yields nothing for another value.
func members(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		rest := map[string]any{}
		switch v.Kind() {
		case reflect.Map:
			rest, _ = v.Interface().(map[string]any)
		case reflect.Struct:
			maps.Copy(rest, v.Interface().(Content).rest())
			for name, field := range structFields(v) {
				value, ok := rest[name]
				delete(rest, name)
				if field.IsZero() {
					field = reflect.ValueOf(value)
				} else {
					ok = true
				}
				if ok && !yield(name, field) {
					return
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(rest)) {
			if !yield(name, reflect.ValueOf(rest[name])) {
				return
			}
		}
	}
}

// fill gives an empty object its members.
func fill(object reflect.Value, values map[string]any) {
	rest := maps.Clone(values)
	for name, field := range structFields(object) {
		value, ok := values[name]
		if !ok {
			continue
		}
		if field.Type() == contentType {
			category := Category(object.FieldByName("Category").String())
			field.Set(reflect.ValueOf(NewContent(category)))
		}
		if fits(field, value) && !field.IsZero() {
			delete(rest, name)
		} else {
			field.SetZero()
		}
	}
	if len(rest) > 0 {
		object.FieldByName("Rest").Set(reflect.ValueOf(Rest(rest)))
	}
}

// fits gives v a value and reports whether v holds all of it.
func fits(v reflect.Value, value any) bool {
	if value != nil && reflect.TypeOf(value) == v.Type() {
		v.Set(reflect.ValueOf(value))
		return true
	}
	switch v.Kind() {
	case reflect.Interface:
		return fits(v.Elem(), value)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return fits(v.Elem(), value)
	case reflect.Struct:
		object, ok := value.(map[string]any)
		if ok {
			fill(v, object)
		}
		return ok
	case reflect.Slice:
		if v.Type() == rawType {
			break
		}
		list, ok := value.([]any)
		if ok {
			v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		}
		for i := 0; ok && i < len(list); i++ {
			ok = fits(v.Index(i), list[i])
		}
		return ok
	}
	raw, err := EncodeJSON(value)
	return err == nil && json.Unmarshal(raw, v.Addr().Interface()) == nil && reflect.DeepEqual(plain(v), value)
}

// plain returns a value as DecodeAny decodes it. It shares nothing with v.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface, reflect.Pointer:
		return plain(v.Elem())
	case reflect.Struct, reflect.Map:
		object := map[string]any{}
		for name, member := range members(v) {
			object[name] = plain(member)
		}
		return object
	case reflect.Slice:
		if v.Type() == rawType {
			break
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.String:
		if v.Type() == numberType {
			return v.Interface()
		}
		return v.String()
	}
	raw, _ := EncodeJSON(v.Interface()) // a boolean, a finite number or valid JSON
	value, _ := DecodeAny(raw)
	return value
}

// appendStrings appends every string of a value, one per line.
func appendStrings(text *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		appendStrings(text, v.Elem())
	case reflect.Struct, reflect.Map:
		for _, member := range members(v) {
			appendStrings(text, member)
		}
	case reflect.Slice:
		for i := range v.Len() {
			appendStrings(text, v.Index(i))
		}
	case reflect.String:
		if v.Type() == numberType {
			return
		}
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(v.String())
	}
}
